package org.jspdl.data.shards.cost;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.ToLongFunction;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.files.FreshFile;
import org.jspdl.files.SafeFolders;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;

/// One pass over shards that asks what each sample costs, and the files in which the answers are kept, each named by a
/// hash of all that they depend on. A file that is damaged, or cannot be written, counts as none.
final class CostPass {
    private static final System.Logger LOG = System.getLogger(CostPass.class.getName());
    private static final int SHARDS_AT_ONCE = 32;
    private static final long LARGEST = 1L << 34;
    /// Samples that a function is asked of again, spread over all.
    private static final int ASKED_AGAIN = 64;

    private final Storage storage;
    private final List<Location> shards;
    private final ShardOptions options;
    private final BufferPool pool;

    CostPass(Storage storage, List<Location> shards, ShardOptions options, BufferPool pool) {
        this.storage = storage;
        this.shards = List.copyOf(shards);
        this.options = options;
        this.pool = pool;
    }

    SampleCosts measure(String cost, Optional<String> version, ToLongFunction<ShardSample> function)
            throws IOException {
        Optional<Path> file = version.isPresent() ? file(cost, version.get()) : Optional.empty();
        Optional<long[]> known = file.flatMap(CostPass::known);
        if (known.isPresent() && isStill(known.get(), cost, version.orElseThrow(), function)) {
            return new SampleCosts(cost, known.get());
        }
        long[] costs = SampleCosts.joined(ofAll(shard -> read(shard, cost, function)));
        file.ifPresent(to -> save(to, costs));
        return new SampleCosts(cost, costs);
    }

    /// Whether what is remembered can be used: false if samples can't be asked again one by one.
    ///
    /// @throws DatasetException if the function is another one
    private boolean isStill(long[] known, String cost, String version, ToLongFunction<ShardSample> function)
            throws IOException {
        IndexedSamples samples;
        try {
            samples = IndexedSamples.of(Shards.open(storage, shards, options, pool));
        } catch (DatasetException unplaced) {
            return false;
        }
        if (samples.size() != known.length) {
            return false;
        }
        long ends = Math.max(known.length - 1, 0);
        for (int i = 0; i < Math.min(ASKED_AGAIN, known.length); i++) {
            int number = (int) (ends * i / Math.max(1, Math.min(ASKED_AGAIN, known.length) - 1));
            try (ShardSample sample = samples.get(number)) {
                long now = function.applyAsLong(sample);
                if (now != known[number]) {
                    throw new DatasetException("the cost '" + cost + "' of sample '" + sample.key() + "' is " + now
                            + ", and what is remembered of version '" + version + "' of the function is "
                            + known[number] + ": give another version to measuredBy(...), on all ranks");
                }
            } catch (IOException | RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new IOException("sample " + number + " can't be read", failure);
            }
        }
        return true;
    }

    /// Where the costs are kept, by all that they depend on: which function told them, which shards there are, in
    /// which version, and what is read of them. Nowhere if the storage does not tell versions, since nobody would
    /// notice other shards.
    private Optional<Path> file(String cost, String version) throws IOException {
        Optional<Path> folder = storage.options().notesFolder();
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<String> versions = ofAll(shard -> {
            try (StoredObject object = storage.object(shard)) {
                return object.version().isEmpty() ? "" : shard.key() + "\n" + object.version();
            }
        });
        if (versions.contains("")) {
            return Optional.empty();
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<String> all = new ArrayList<>(List.of(cost, version, options.selection()));
            all.addAll(versions);
            for (String each : all) {
                byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(bytes);
            }
            String name = HexFormat.of().formatHex(digest.digest(), 0, 20) + ".npy";
            return Optional.of(folder.get().resolve("costs").resolve(name));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Optional<long[]> known(Path file) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
                return Optional.empty();
            }
            MemorySegment bytes = MemorySegment.ofArray(Files.readAllBytes(file));
            long samples = Npy.view(bytes).shape().elements();
            return Optional.of(SampleCosts.numbers(bytes, samples).toArray(ValueLayout.JAVA_LONG_UNALIGNED));
        } catch (IOException | FormatException damaged) {
            return Optional.empty();
        }
    }

    private static void save(Path file, long[] costs) {
        try (Arena arena = Arena.ofConfined()) {
            Path folder = file.toAbsolutePath().getParent();
            if (SafeFolders.hasModes() && folder != null) {
                SafeFolders safe = SafeFolders.ofThisUser();
                safe.make(folder);
                safe.makeOwn(folder);
            }
            Path part = Files.createTempFile(folder, "costs-", ".part");
            try {
                MemorySegment bytes = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, costs.length));
                MemorySegment.copy(costs, 0, bytes, ValueLayout.JAVA_LONG, 0, costs.length);
                Npy.write(
                        part,
                        ArrayView.of(
                                ElementType.INT64,
                                Shape.of(costs.length),
                                bytes.asSlice(0, (long) costs.length * Long.BYTES)));
                FreshFile.move(part, file);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException unwritable) {
            LOG.log(System.Logger.Level.DEBUG, "costs of samples cannot be kept in " + file, unwritable);
        }
    }

    private long[] read(Location shard, String cost, ToLongFunction<ShardSample> function) throws Exception {
        long[] costs = new long[256];
        int samples = 0;
        try (Cursor<ShardSample> cursor =
                Shards.shard(storage, shard, options, pool).open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    costs = samples == costs.length ? Arrays.copyOf(costs, 2 * samples) : costs;
                    costs[samples] = function.applyAsLong(sample);
                    if (costs[samples] < 0) {
                        throw new IllegalArgumentException("sample '" + sample.key() + "' of " + shard + " costs "
                                + costs[samples] + " '" + cost + "', below 0");
                    }
                    samples++;
                }
            }
        }
        return Arrays.copyOf(costs, samples);
    }

    /// Something that is asked of a shard.
    @FunctionalInterface
    private interface Question<T> {
        T ask(Location shard) throws Exception;
    }

    /// The answers of all shards, in their order.
    private <T> List<T> ofAll(Question<T> question) throws IOException {
        Semaphore places = new Semaphore(SHARDS_AT_ONCE);
        List<Future<T>> asked = new ArrayList<>(shards.size());
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-costs-", 0).factory())) {
            try {
                for (Location shard : shards) {
                    places.acquire();
                    asked.add(threads.submit(() -> {
                        try {
                            return question.ask(shard);
                        } finally {
                            places.release();
                        }
                    }));
                }
                List<T> answers = new ArrayList<>(shards.size());
                for (Future<T> each : asked) {
                    answers.add(each.get());
                }
                return answers;
            } catch (InterruptedException interrupted) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new IOException("asking for the costs of samples was interrupted");
            } catch (ExecutionException failed) {
                threads.shutdownNow();
                switch (failed.getCause()) {
                    case IOException cause -> throw cause;
                    case RuntimeException cause -> throw cause;
                    case null, default -> throw new IOException("cannot ask for the costs of samples", failed);
                }
            }
        }
    }
}
