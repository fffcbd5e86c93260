package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Samplers;
import org.jspdl.testkit.storage.ObjectContent;

/// Reads from a [StorageServer], checks every byte of some and some bytes of all, and prints what that took: a
/// contestant of the scenario `storage`.
///
/// Arguments: WAY, address, reads an epoch, reads in flight, epochs. Ways: `objects` reads whole objects, `ranges`
/// 4 KiB at a time from the large one, `jdk` whole objects through the JDK's HTTP client.
public final class StorageReads {
    private static final int RANGE = 4 << 10;
    private static final int CHECKED_EVERY = 61;

    private final String url;
    private final int count;
    private final int inFlight;
    private final int epochs;

    /// The content of the object, or of the range, with this number.
    @FunctionalInterface
    private interface Reader {
        Lease read(long number) throws Exception;
    }

    private StorageReads(String[] arguments) {
        this.url = arguments[1];
        this.count = Integer.parseInt(arguments[2]);
        this.inFlight = Integer.parseInt(arguments[3]);
        this.epochs = Integer.parseInt(arguments[4]);
    }

    /// Reads in one way.
    public static void main(String[] arguments) throws Exception {
        IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
        StorageReads reads = new StorageReads(arguments);
        try (BufferPool pool = BufferPool.create("reads", 1L << 30)) {
            switch (arguments[0]) {
                case "objects" -> reads.objects(pool);
                case "ranges" -> reads.ranges(pool);
                case "jdk" -> reads.jdk(pool);
                default -> throw new IllegalArgumentException("no such way: " + arguments[0]);
            }
        }
    }

    private void objects(BufferPool pool) throws Exception {
        try (Storage storage = Storage.open(StorageOptions.defaults().requestsPerHost(inFlight))) {
            epochs(
                    number -> {
                        try (var object = storage.object(url + "/objects/" + number)) {
                            return object.readAll(pool, 1 << 20);
                        }
                    },
                    storage);
        }
    }

    private void ranges(BufferPool pool) throws Exception {
        try (Storage storage = Storage.open(StorageOptions.defaults().requestsPerHost(inFlight));
                var object = storage.object(url + "/large")) {
            for (int epoch = 0; epoch < epochs; epoch++) {
                allAtOnce(number -> object.read(number * RANGE, RANGE, pool), storage);
            }
        }
    }

    private void jdk(BufferPool pool) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(threads)
                        .build();
                Storage unused = Storage.open()) {
            epochs(
                    number -> {
                        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/objects/" + number))
                                .build();
                        byte[] body = client.send(request, HttpResponse.BodyHandlers.ofByteArray())
                                .body();
                        Lease lease = pool.lease(body.length);
                        lease.segment().copyFrom(MemorySegment.ofArray(body));
                        return lease;
                    },
                    unused);
        }
    }

    /// A virtual thread for each read, and no pipeline: what is measured is the storage.
    private void allAtOnce(Reader reader, Storage storage) throws Exception {
        long start = System.nanoTime();
        long cpu = ProcessCpu.nanos();
        StorageStats before = storage.stats();
        List<Future<Long>> all = new ArrayList<>(count);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long i = 0; i < count; i++) {
                long number = i;
                all.add(threads.submit(() -> checked(number, reader)));
            }
        }
        for (Future<Long> one : all) {
            one.get();
        }
        IO.println("{\"event\": \"first_batch\"}");
        report(System.nanoTime() - start, ProcessCpu.nanos() - cpu, storage.stats(), before);
    }

    private void epochs(Reader reader, Storage storage) throws IOException {
        Pipeline<Long> reading = Pipeline.from(Samplers.shuffled(count, 1))
                .pipe("read", number -> checked(number, reader), StageOptions.io(inFlight));
        try (Run<Long> run = reading.start(RunOptions.defaults().epochs(epochs))) {
            boolean first = true;
            do {
                long start = System.nanoTime();
                long cpu = ProcessCpu.nanos();
                StorageStats before = storage.stats();
                BitSet seen = new BitSet(count);
                for (long number : run) {
                    if (first) {
                        IO.println("{\"event\": \"first_batch\"}");
                        first = false;
                    }
                    if (seen.get((int) number)) {
                        throw new IllegalStateException("read twice: " + number);
                    }
                    seen.set((int) number);
                }
                if (seen.cardinality() != count) {
                    throw new IllegalStateException("only " + seen.cardinality() + " of " + count + " were read");
                }
                report(System.nanoTime() - start, ProcessCpu.nanos() - cpu, storage.stats(), before);
            } while (run.nextEpoch());
        }
    }

    private long checked(long number, Reader reader) throws Exception {
        try (Lease lease = reader.read(number)) {
            boolean isRange = lease.byteSize() == RANGE;
            long seed = StorageServer.SEED + (isRange ? 0 : number);
            long base = isRange ? number * RANGE : 0;
            int step = number % CHECKED_EVERY == 0 ? 1 : 1_021;
            for (long i = 0; i < lease.byteSize(); i += step) {
                if (lease.segment().get(ValueLayout.JAVA_BYTE, i) != ObjectContent.byteAt(seed, base + i)) {
                    throw new IllegalStateException("wrong byte at " + i + " of " + number);
                }
            }
        }
        return number;
    }

    private void report(long nanos, long cpu, StorageStats now, StorageStats before) throws IOException {
        IO.println(
                "{\"event\": \"epoch\", \"items\": " + count + ", \"seconds\": " + nanos / 1e9 + ", \"cpu_seconds\": "
                        + cpu / 1e9 + ", \"requests\": " + (now.requests() - before.requests()) + ", \"retries\": "
                        + (now.retries() - before.retries()) + ", \"peak_rss_bytes\": " + peakRss() + "}");
    }

    private static long peakRss() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) << 10;
            }
        }
        return 0;
    }
}
