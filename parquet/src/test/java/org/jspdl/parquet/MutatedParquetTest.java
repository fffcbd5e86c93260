package org.jspdl.parquet;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A campaign against Parquet: footers, page headers and pages changed, cut, repeated and moved, from a printed seed.
///
/// Each file is read or refused by name, in bounded time and memory. 1,000 files, with `-Pcampaign` 50,000, or
/// `-Djspdl.campaign.count=N`; `-Xmx64m` is enough.
class MutatedParquetTest {
    private static final int LIMIT = 1 << 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    /// What reading a mutant may allocate on the heap, all in all: the samples of a file and their pages.
    private static final long MOST_ALLOCATED = 512L << 20;
    /// A mutant with more samples than this counts as read: a run of one value has any length in a few bytes.
    private static final int MOST_SAMPLES = 2_000;
    private static final byte[] EDGES = {0, 1, -1, 127, -128, 0x15, 0x19, 0x1C};

    private final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private Map<String, byte[]> corpus() throws Exception {
        Map<String, byte[]> corpus = new LinkedHashMap<>();
        for (String name : new String[] {"none", "gzip", "lz4", "snappy", "zstd", "v2", "empty"}) {
            corpus.put(name, Files.readAllBytes(ParquetFiles.copy(name + ".parquet", folder)));
        }
        String nested = """
                SELECT range AS id, CASE WHEN range % 3 = 0 THEN NULL ELSE range::DECIMAL(18,3) END AS price,
                {'bytes': ('b' || range)::BLOB, 'path': range || '.jpg'} AS image, [range, 5, 7] AS many,
                [['a', 'bc'], ['d', '']] AS texts, MAP {'k': range} AS map, TIMESTAMP '2026-01-01' AS at, 'same' AS same
                FROM range(40)
                """;
        try (DuckDb duck = new DuckDb()) {
            for (String codec : new String[] {"uncompressed", "snappy", "zstd", "gzip", "lz4_raw"}) {
                for (String version : new String[] {"V1", "V2"}) {
                    Path file = folder.resolve(codec + version + ".parquet");
                    duck.write(
                            nested, file, ", CODEC " + codec + ", PARQUET_VERSION " + version + ", ROW_GROUP_SIZE 20");
                    corpus.put(codec + version, Files.readAllBytes(file));
                }
            }
        }
        return corpus;
    }

    private static byte[] mutate(byte[] whole, SplittableRandom random) {
        byte[] mutant = whole.clone();
        int footer = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).getInt(whole.length - 8);
        for (int change = random.nextInt(5); change > 0; change--) { // a fifth as it was
            int at = random.nextInt(5) < 3 && footer < mutant.length - 8
                    ? mutant.length - 8 - footer + random.nextInt(footer)
                    : random.nextInt(mutant.length);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3 -> mutant[at] = (byte) random.nextInt(256);
                case 4, 5, 6 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 7, 8, 9 -> mutant[at] = EDGES[random.nextInt(EDGES.length)];
                case 10, 11 -> // a large number, as Thrift writes it
                    Arrays.fill(mutant, at, Math.min(mutant.length, at + 1 + random.nextInt(9)), (byte) -1);
                case 12 -> {
                    int length = Math.min(mutant.length - at, 1 + random.nextInt(600));
                    System.arraycopy(mutant, at, mutant, random.nextInt(mutant.length - length + 1), length);
                }
                case 13 -> mutant = joined(Arrays.copyOf(mutant, at), Arrays.copyOfRange(whole, at / 2, whole.length));
                default -> {
                    int length = Math.min(mutant.length - at, 1 + random.nextInt(20));
                    byte[] other = Arrays.copyOfRange(mutant, at, at + length);
                    int to = random.nextInt(mutant.length - length + 1);
                    System.arraycopy(mutant, to, mutant, at, length);
                    System.arraycopy(other, 0, mutant, to, length);
                }
            }
        }
        return mutant;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static void read(Storage storage, Path file, ShardOptions options, BufferPool pool) throws Exception {
        Shards.inspect(storage, file.toString(), pool);
        int samples = 0;
        try (Cursor<ShardSample> cursor =
                Shards.shard(storage, file.toString(), options, pool).open(0, Position.START)) {
            while (samples++ < MOST_SAMPLES && cursor.advance()) {
                cursor.item().close();
            }
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMutatedFileIsReadOrRefusedWithinTheLimits() throws Exception {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 50_000 : 1_000);
        Map<String, byte[]> corpus = corpus();
        String[] names = corpus.keySet().toArray(String[]::new);
        ShardOptions plain = ShardOptions.defaults().largestSample(LIMIT);
        Path file = folder.resolve("mutant.parquet");
        int read = 0;
        int refused = 0;
        long longest = 0;
        long largest = 0;
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("mutants", 8L * LIMIT)) {
            for (int round = 0; round < count; round++) {
                SplittableRandom random = new SplittableRandom(seed + round);
                byte[] mutant = mutate(requireNonNull(corpus.get(names[random.nextInt(names.length)])), random);
                Files.write(file, mutant);
                long began = System.nanoTime();
                long allocated = threads.getCurrentThreadAllocatedBytes();
                try {
                    read(storage, file, random.nextBoolean() ? plain : plain.verified(), pool);
                    read++;
                } catch (FormatException | StorageException named) {
                    refused++;
                } catch (Exception | Error stray) {
                    Path kept = Files.write(Files.createTempFile("jspdl-", ".parquet"), mutant);
                    throw new AssertionError("seed " + (seed + round) + ", see " + kept, stray);
                }
                long bytes = threads.getCurrentThreadAllocatedBytes() - allocated;
                long nanos = System.nanoTime() - began;
                assertThat(nanos).as("seed %d", seed + round).isLessThan(PATIENCE_NANOS);
                assertThat(bytes).as("seed %d", seed + round).isLessThan(MOST_ALLOCATED);
                longest = Math.max(longest, nanos);
                largest = Math.max(largest, bytes);
                assertThat(pool.outstanding()).as("seed %d", seed + round).isZero();
            }
        }
        System.out.printf(
                "mutated Parquet, seeds from %d: %,d read, %,d refused, longest %.1f ms, most allocated %d MiB,"
                        + " heap %d MiB%n",
                seed,
                read,
                refused,
                longest / 1e6,
                largest >> 20,
                Runtime.getRuntime().maxMemory() >> 20);
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }
}
