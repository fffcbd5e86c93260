package org.jspdl.benchmarks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;

/// Reads shards from front to back on one thread, three times, and prints what that took: a contestant of the scenario
/// `shards`.
///
/// Arguments: the shards, and the columns wanted, none for all. Of every field the first and last byte are looked at.
public final class ShardPasses {
    private static final int PASSES = 3;

    private ShardPasses() {}

    /// Reads the shards that `arguments` name.
    public static void main(String[] arguments) throws Exception {
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        ShardOptions options =
                ShardOptions.defaults().columns(java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("shards", 1L << 30)) {
            ShardStream<ShardSample> shards = Shards.open(storage, arguments[0], options, pool);
            for (int pass = 0; pass < PASSES; pass++) {
                long start = System.nanoTime();
                long cpu = ProcessCpu.nanos();
                long bytesBefore = storage.stats().bytes();
                long sum = 0;
                long samples = 0;
                try (Cursor<ShardSample> cursor = shards.open(pass, Position.START)) {
                    while (cursor.advance()) {
                        try (ShardSample sample = cursor.item()) {
                            sum += looked(sample);
                        }
                        if (samples++ == 0 && pass == 0) {
                            IO.println("{\"event\": \"first_batch\"}");
                        }
                    }
                }
                IO.println("{\"event\": \"epoch\", \"items\": " + samples + ", \"seconds\": "
                        + (System.nanoTime() - start) / 1e9 + ", \"cpu_seconds\": " + (ProcessCpu.nanos() - cpu) / 1e9
                        + ", \"bytes_read\": " + (storage.stats().bytes() - bytesBefore) + ", \"sum\": " + sum + "}");
            }
        }
    }

    private static long looked(ShardSample sample) {
        long sum = 0;
        for (String name : sample.names()) {
            MemorySegment bytes = sample.bytes(name);
            sum += bytes.get(ValueLayout.JAVA_BYTE, 0) + bytes.get(ValueLayout.JAVA_BYTE, bytes.byteSize() - 1);
        }
        return sum;
    }
}
