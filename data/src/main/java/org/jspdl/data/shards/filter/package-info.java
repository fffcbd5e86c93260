/// Which rows of a table are read; begin with [org.jspdl.data.shards.filter.RowFilter].
@NullMarked
package org.jspdl.data.shards.filter;

import org.jspecify.annotations.NullMarked;
