package org.jspdl.benchmarks;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;

/// How long it takes until the first sample of remote shards, with the number of samples known, and how long reads take
/// of which some stall: contestants of the scenario `remote`, each with a server of its own in the process.
///
/// Arguments: WAY, shards or reads, milliseconds before each answer. Ways: `first-indexed` has an index of the dataset,
/// `first-idx` one beside each shard, `first-again` the same with what an earlier run found out; `stalls` and
/// `stalls-plain` read with and without second requests while 1 % of the answers come after 10 s.
public final class RemoteShards {
    private static final int SAMPLES = 100;
    private static final int READS_AT_ONCE = 20;
    private static final int OBJECT = 4 << 20;

    private RemoteShards() {}

    /// Measures one way.
    public static void main(String[] arguments) throws Exception {
        Events.versions();
        int count = Integer.parseInt(arguments[1]);
        Duration latency = Duration.ofMillis(Long.parseLong(arguments[2]));
        try (ObjectServer server = ObjectServer.start(Faults.none());
                BufferPool pool = BufferPool.create("remote", 1L << 30)) {
            if (arguments[0].startsWith("first")) {
                first(arguments[0], count, latency, server, pool);
            } else {
                stalls(arguments[0].equals("stalls"), count, latency, server, pool);
            }
        }
    }

    private static void first(String way, int shards, Duration latency, ObjectServer server, BufferPool pool)
            throws Exception {
        Path folder = Files.createTempDirectory("jspdl-remote-");
        try {
            serve(folder, shards, way.equals("first-indexed"), server, pool);
            StorageOptions options = StorageOptions.defaults().notesFolder(folder.resolve("notes"));
            String pattern = server.url("/d/") + String.format("train-{0000..%04d}.tar", shards - 1);
            if (way.equals("first-again")) {
                firstSample(options, pattern, pool);
            }
            server.faults(Faults.latency(latency));
            Events.epoch(() -> firstSample(options, pattern, pool));
            Events.firstBatch();
        } finally {
            try (var files = Files.walk(folder)) {
                for (Path each :
                        files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    private static long firstSample(StorageOptions options, String pattern, BufferPool pool) throws Exception {
        try (Storage storage = Storage.open(options)) {
            ShardStream<ShardSample> stream =
                    Shards.open(storage, pattern, ShardOptions.defaults(), pool).shard(3, 8);
            try (Cursor<ShardSample> cursor = stream.open(0, Position.START)) {
                cursor.advance();
                cursor.item().close();
                return 1;
            }
        }
    }

    private static void serve(Path folder, int shards, boolean indexed, ObjectServer server, BufferPool pool)
            throws Exception {
        Path file = folder.resolve("one.tar");
        try (TarWriter tar = TarWriter.create(file)) {
            for (int i = 0; i < SAMPLES; i++) {
                tar.add("s" + i + ".txt", MemorySegment.ofArray(new byte[100]));
            }
        }
        ObjectContent content = ObjectContent.of(Files.readAllBytes(file));
        ObjectContent index;
        try (Storage storage = Storage.open()) {
            ShardFile shard = new ShardFile(storage, Location.of(file), ShardOptions.defaults(), pool);
            index = ObjectContent.of(
                    TarIndex.write(TarIndex.of(shard).samples()).getBytes(StandardCharsets.UTF_8));
        }
        List<DatasetIndex.Shard> all = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            String name = String.format("train-%04d", i);
            server.put("/d/" + name + ".tar", content);
            server.put("/d/" + name + ".idx", index);
            all.add(new DatasetIndex.Shard(name + ".tar", SAMPLES, Files.size(file), ""));
        }
        if (indexed) {
            byte[] text = new DatasetIndex(all, List.of()).text().getBytes(StandardCharsets.UTF_8);
            server.put("/d/train.shards.json", ObjectContent.of(text));
        }
    }

    private static void stalls(boolean hedged, int reads, Duration latency, ObjectServer server, BufferPool pool)
            throws Exception {
        server.put("/large", ObjectContent.seeded(6, OBJECT));
        StorageOptions options = StorageOptions.defaults();
        try (Storage storage = Storage.open(hedged ? options : options.withoutHedging());
                StoredObject object = storage.object(server.url("/large"))) {
            server.faults(Faults.latency(latency));
            read(object, 2_000, pool);
            server.faults(Faults.latency(latency).seed(7).tail(0.01, Duration.ofSeconds(10)));
            long[][] nanos = new long[1][];
            Events.epoch(() -> {
                nanos[0] = read(object, reads, pool);
                return reads;
            });
            Arrays.sort(nanos[0]);
            IO.println(String.format(
                    java.util.Locale.ROOT,
                    "{\"event\": \"times\", \"median_ms\": %.2f, \"p99_ms\": %.2f, \"p999_ms\": %.2f, \"requests\": %d,"
                            + " \"hedged\": %d}",
                    nanos[0][reads / 2] / 1e6,
                    nanos[0][(int) (reads * 0.99)] / 1e6,
                    nanos[0][(int) (reads * 0.999)] / 1e6,
                    storage.stats().requests(),
                    storage.stats().hedged()));
            Events.firstBatch();
        }
    }

    private static long[] read(StoredObject object, int reads, BufferPool pool) throws Exception {
        long[] nanos = new long[reads];
        List<Future<?>> readers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int reader = 0; reader < READS_AT_ONCE; reader++) {
                int own = reader;
                readers.add(threads.submit(() -> {
                    for (int i = own; i < reads; i += READS_AT_ONCE) {
                        long begun = System.nanoTime();
                        object.read(i * 1_777L % (OBJECT - 1_000), 1_000, pool).close();
                        nanos[i] = System.nanoTime() - begun;
                    }
                    return null;
                }));
            }
        }
        for (Future<?> each : readers) {
            each.get();
        }
        return nanos;
    }
}
