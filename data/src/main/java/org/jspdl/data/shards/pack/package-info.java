/// Writes WebDataset shards, with their indexes, in parallel; goes on where a killed process stopped, and checks what
/// lies there.
///
/// Read [ShardPacker] first.
package org.jspdl.data.shards.pack;
