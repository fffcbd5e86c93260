/// Parquet files as shards: only the wanted columns and row groups are transferred.
///
/// Pages are decoded by parquet-java; storage, decompression and rows are ours. Read [org.jspdl.parquet.ParquetFormat]
/// first.
@org.jspecify.annotations.NullMarked
package org.jspdl.parquet;
