/// Shards in the layout of WebDataset, tar files whose members of one name and several suffixes are a sample, and their
/// indexes. Read [org.jspdl.data.shards.tar.TarFormat] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.tar;
