package org.jspdl.data.shards;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspdl.data.shards.mds.MdsFiles;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A campaign against shards of every format of this module: bytes changed, cut, repeated and moved, from a printed
/// seed.
///
/// Each is read or refused by name, within the limit for a sample. 2,000 shards, with `-Pcampaign` 100,000, or
/// `-Djspdl.campaign.count=N`.
class MutatedShardsTest {
    private static final int LIMIT = 1 << 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    /// A mutant with more samples than this counts as read: each of them has at least a byte of its file.
    private static final int MOST_SAMPLES = 20_000;
    private static final byte[] EDGES = {0, 1, -1, 127, -128, '9', '{', '"'};

    @TempDir
    Path folder;

    private Map<String, byte[]> corpus() throws Exception {
        Map<String, byte[]> corpus = new LinkedHashMap<>();
        List<Path> files = new ArrayList<>(MdsFiles.write(folder, 20));
        Collections.addAll(
                files,
                ShardFiles.tar(folder, 6, "pax"),
                ShardFiles.tfRecords(folder, 10),
                ShardFiles.jsonLines(folder, 20),
                ShardFiles.gzipJsonLines(folder, 20),
                ShardFiles.zstdJsonLines(folder, 20),
                ShardFiles.npy(folder, 20),
                ShardFiles.npz(folder, 20));
        for (Path file : files) {
            corpus.put("mutant" + file.getFileName().toString().replaceFirst("^[^.]*", ""), Files.readAllBytes(file));
        }
        return corpus;
    }

    private static byte[] mutate(byte[] whole, SplittableRandom random) {
        byte[] mutant = whole.clone();
        for (int change = random.nextInt(4); change > 0; change--) { // a quarter as it was
            int at = random.nextInt(mutant.length);
            switch (random.nextInt(6)) {
                case 0, 1 -> mutant[at] = (byte) random.nextInt(256);
                case 2 -> mutant[at] = EDGES[random.nextInt(EDGES.length)];
                case 3 -> Arrays.fill(mutant, at, Math.min(mutant.length, at + 8), EDGES[random.nextInt(EDGES.length)]);
                case 4 -> mutant = Arrays.copyOf(mutant, 1 + at);
                default -> {
                    int length = Math.min(mutant.length - at, 1 + random.nextInt(600));
                    System.arraycopy(mutant, at, mutant, random.nextInt(mutant.length - length + 1), length);
                }
            }
        }
        return mutant;
    }

    private static long read(Storage storage, Path file, BufferPool pool) throws Exception {
        long samples = 0;
        try (Cursor<ShardSample> cursor = Shards.shard(
                        storage, file.toString(), ShardOptions.defaults().largestSample(LIMIT), pool)
                .open(0, Position.START)) {
            while (samples < MOST_SAMPLES && cursor.advance()) {
                cursor.item().close();
                samples++;
            }
        }
        return samples;
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMutatedShardIsReadOrRefusedWithinTheLimits() throws Exception {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 100_000 : 2_000);
        Map<String, byte[]> corpus = corpus();
        String[] names = corpus.keySet().toArray(String[]::new);
        Map<String, LongAdder> read = new LinkedHashMap<>();
        long refused = 0;
        long longest = 0;
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("mutants", 4L * LIMIT)) {
            for (int round = 0; round < count; round++) {
                SplittableRandom random = new SplittableRandom(seed + round);
                String name = names[random.nextInt(names.length)];
                byte[] mutant = mutate(requireNonNull(corpus.get(name)), random);
                Path file = Files.write(folder.resolve(name), mutant);
                long began = System.nanoTime();
                try {
                    read(storage, file, pool);
                    read.computeIfAbsent(name, _ -> new LongAdder()).increment();
                } catch (FormatException | StorageException named) {
                    refused++;
                } catch (Exception | Error stray) {
                    Path kept = Files.createTempFile("jspdl-", name);
                    Files.write(kept, mutant);
                    throw new AssertionError("seed " + (seed + round) + ", see " + kept, stray);
                }
                long nanos = System.nanoTime() - began;
                assertThat(nanos).as("seed %d", seed + round).isLessThan(PATIENCE_NANOS);
                longest = Math.max(longest, nanos);
                assertThat(pool.outstanding()).as("seed %d", seed + round).isZero();
            }
        }
        System.out.printf(
                "mutated shards, seeds from %d: %s read, %,d refused, longest %.1f ms, heap %d MiB%n",
                seed, read, refused, longest / 1e6, Runtime.getRuntime().maxMemory() >> 20);
        assertThat(read).containsKeys(names);
        assertThat(refused).isPositive();
    }
}
