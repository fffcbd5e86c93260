package org.jspdl.parquet;

import java.nio.file.Path;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/// What the tests over a [HandMadeFile] share.
abstract class HandMadeFileTest {
    @TempDir
    Path folder;

    final Storage storage = Storage.open();
    final BufferPool pool = BufferPool.create("parquet", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    final Cursor<ShardSample> open(Path file, ShardFailures failures) throws Exception {
        return Shards.shard(storage, file.toString(), ShardOptions.defaults().failures(failures), pool)
                .open(0, Position.START);
    }
}
