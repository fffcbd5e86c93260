package org.jspdl.parquet;

import java.io.IOException;
import java.nio.file.Path;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.jspdl.testkit.SourceConformance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class ParquetConformanceTest extends SourceConformance<String> {
    @TempDir
    Path folder = Path.of("");

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);
    private String file = "";

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    @Override
    protected Source<String> source() {
        try {
            if (file.isEmpty()) {
                file = ParquetFiles.copy("zstd.parquet", folder).toString();
            }
            return Sources.map(
                    Shards.shard(storage, file, ShardOptions.defaults().columns("id", "text", "tokens"), pool),
                    ParquetConformanceTest::text);
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }

    private static String text(ShardSample row) {
        try (row) {
            return row.number("id") + " " + (row.has("text") ? row.text("text") : "-")
                    + (row.has("tokens") ? row.array("tokens").shape() : "");
        }
    }
}
