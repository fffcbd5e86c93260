/// What readers, writers and jobs share: options, where things lie, what is sent to object stores, and what clusters
/// must have.
@NullMarked
package org.jspdl.spark.internal;

import org.jspecify.annotations.NullMarked;
