package org.jspdl.data.shards;

import java.io.IOException;
import java.nio.file.Path;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Source;
import org.jspdl.testkit.SourceConformance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The kit for sources, over a shard in a file.
abstract class ShardConformance extends SourceConformance<String> {
    @TempDir
    Path folder = Path.of("");

    private Storage storage = Storage.open();
    private BufferPool pool = BufferPool.create("shards", 1 << 26);
    private Path shard = Path.of("");

    /// Writes a shard of at least ten samples.
    abstract Path write(Path into) throws Exception;

    @BeforeEach
    void prepare() throws Exception {
        storage.close();
        storage = Storage.open();
        pool.close();
        pool = BufferPool.create("shards", 1 << 26);
        shard = write(folder);
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    @Override
    protected Source<String> source() {
        try {
            return ShardTexts.of(Shards.shard(storage, shard.toString(), ShardOptions.defaults(), pool));
        } catch (IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
    }
}
