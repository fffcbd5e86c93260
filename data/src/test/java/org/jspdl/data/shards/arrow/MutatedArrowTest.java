package org.jspdl.data.shards.arrow;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspdl.data.shards.ShardFailures;
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

/// A campaign against Arrow: files and streams of pyarrow with bytes changed, cut, repeated and moved, from a printed
/// seed.
///
/// Each is read or refused by name, in bounded time and memory. 2,000 files, with `-Pcampaign` 100,000, or
/// `-Djspdl.campaign.count=N`; `-Xmx64m` is enough.
class MutatedArrowTest {
    private static final int LIMIT = 1 << 20;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long MOST_ALLOCATED = 256L << 20;
    /// A column of nothing has any number of rows in no bytes.
    private static final int MOST_SAMPLES = 2_000;
    private static final byte[] EDGES = {0, 1, -1, 127, -128, 4, 8, 16};

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private List<byte[]> corpus() throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        try (InputStream packed = requireNonNull(getClass().getResourceAsStream("/arrow/tables.zip"));
                ZipInputStream tables = new ZipInputStream(packed)) {
            for (ZipEntry each = tables.getNextEntry(); each != null; each = tables.getNextEntry()) {
                if (each.getName().endsWith(".arrow") && !each.getName().startsWith("long")) {
                    corpus.add(tables.readAllBytes());
                }
            }
        }
        return corpus;
    }

    private static byte[] mutate(byte[] whole, SplittableRandom random) {
        byte[] mutant = whole.clone();
        for (int change = random.nextInt(5); change > 0; change--) { // a fifth as it was
            int at = random.nextInt(mutant.length);
            switch (random.nextInt(8)) {
                case 0 -> mutant[at] = (byte) random.nextInt(256);
                case 1 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 2, 3 -> mutant[at] = EDGES[random.nextInt(EDGES.length)];
                case 4 -> // a number of 32 or 64 bits
                    Arrays.fill(
                            mutant,
                            at & ~3,
                            Math.min(mutant.length, (at & ~3) + (random.nextBoolean() ? 4 : 8)),
                            EDGES[random.nextInt(EDGES.length)]);
                case 5 -> mutant = random.nextInt(4) == 0 ? Arrays.copyOf(mutant, 1 + at) : mutant;
                default -> {
                    int length = Math.min(mutant.length - at, 4 * (1 + random.nextInt(20)));
                    System.arraycopy(mutant, at, mutant, random.nextInt(mutant.length - length + 1), length);
                }
            }
        }
        return mutant;
    }

    private static void read(Storage storage, Path file, BufferPool pool) throws Exception {
        ShardOptions options = ShardOptions.defaults().largestSample(LIMIT).failures(ShardFailures.skip(100, _ -> {}));
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
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 100_000 : 2_000);
        List<byte[]> corpus = corpus();
        Path file = folder.resolve("mutant.arrow");
        int read = 0;
        int refused = 0;
        long longest = 0;
        long largest = 0;
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("mutants", 8L * LIMIT)) {
            for (int round = 0; round < count; round++) {
                SplittableRandom random = new SplittableRandom(seed + round);
                byte[] mutant = mutate(corpus.get(random.nextInt(corpus.size())), random);
                Files.write(file, mutant);
                long began = System.nanoTime();
                long allocated = threads.getCurrentThreadAllocatedBytes();
                try {
                    read(storage, file, pool);
                    read++;
                } catch (FormatException | StorageException named) {
                    refused++;
                } catch (Exception | Error stray) {
                    Path kept = Files.write(Files.createTempFile("jspdl-", ".arrow"), mutant);
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
                "mutated Arrow, seeds from %d: %,d read, %,d refused, longest %.1f ms, most allocated %d MiB, heap %d MiB%n",
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
