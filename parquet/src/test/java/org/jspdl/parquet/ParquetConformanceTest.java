package org.jspdl.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
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
            return new Texts(
                    Shards.shard(storage, file, ShardOptions.defaults().columns("id", "text", "tokens"), pool));
        } catch (IOException unreadable) {
            throw new java.io.UncheckedIOException(unreadable);
        }
    }

    private record Texts(Source<ShardSample> rows) implements Source<String> {
        @Override
        public Cursor<String> open(long epoch, Position from) throws Exception {
            Cursor<ShardSample> cursor = rows.open(epoch, from);
            return new Cursor<>() {
                private String text = "";

                @Override
                public boolean advance() throws Exception {
                    boolean more = cursor.advance();
                    if (more) {
                        try (ShardSample row = cursor.item()) {
                            text = row.number("id") + " " + (row.has("text") ? row.text("text") : "-")
                                    + (row.has("tokens") ? row.array("tokens").shape() : "");
                        }
                    }
                    return more;
                }

                @Override
                public String item() {
                    return text;
                }

                @Override
                public Position position() {
                    return cursor.position();
                }

                @Override
                public void close() throws IOException {
                    cursor.close();
                }
            };
        }

        @Override
        public OptionalLong size() {
            return rows.size();
        }
    }
}
