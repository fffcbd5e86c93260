@NullMarked
package org.jspdl.pipeline.internal.run;

import org.jspecify.annotations.NullMarked;
