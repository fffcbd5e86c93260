/// Datasets read and written by Apache Spark: the data source `jspdl`, and tensors in its rows.
@NullMarked
package org.jspdl.spark;

import org.jspecify.annotations.NullMarked;
