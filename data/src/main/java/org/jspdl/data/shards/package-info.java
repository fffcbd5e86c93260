/// Shards: files that hold many samples, in WebDataset tar, TFRecord, JSON lines, NPY and NPZ, read from any storage.
///
/// Each shard is a source that resumes exactly; `org.jspdl.source.ShardStream` mixes many. Not here: the formats
/// themselves (`org.jspdl.archive`, `array`), Parquet (the module jspdl-parquet). Read
/// [org.jspdl.data.shards.Shards] first.
package org.jspdl.data.shards;
