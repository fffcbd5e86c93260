/// Arrow's files and streams as shards.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.arrow;
