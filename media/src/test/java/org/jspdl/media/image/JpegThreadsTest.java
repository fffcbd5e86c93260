package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// JPEG pictures with restart markers by several threads: the samples and the errors of one thread.
class JpegThreadsTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 18);
    private static final int[][][] SAMPLINGS = {
        {{1, 1}}, {{1, 1}, {1, 1}, {1, 1}}, {{2, 1}, {1, 1}, {1, 1}}, {{2, 2}, {1, 1}, {1, 1}}, {{1, 2}, {1, 1}, {1, 1}}
    };
    private static final List<DecodeMode> MODES = List.of(DecodeMode.STRICT, JpegPlanes.KEPT);

    /// Who helps.
    enum Help {
        THREADS,
        AT_ONCE,
        TOO_LATE,
        REFUSED
    }

    private static Executor executor(Help help, ExecutorService threads) {
        return switch (help) {
            case THREADS -> threads;
            case AT_ONCE -> Runnable::run;
            case TOO_LATE -> task -> {};
            case REFUSED ->
                task -> {
                    throw new RejectedExecutionException("nobody is idle");
                };
        };
    }

    /// Restart intervals of any length, parts of any size, reduced or not, sound or damaged, strict or kept.
    @ParameterizedTest
    @EnumSource
    void samplesAndErrorsAreThoseOfOneThread(Help help) {
        SplittableRandom random = new SplittableRandom(SEED + help.ordinal());
        int files = CAMPAIGN ? 20_000 : 400;
        int sound = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(3);
                Arena arena = Arena.ofShared();
                JpegCodec alone = new JpegCodec();
                JpegCodec together = new JpegCodec(SharedWork.lent(executor(help, threads), 4), 0)) {
            MemorySegment memory = arena.allocate(1 << 20);
            for (int i = 0; i < files; i++) {
                JpegMaker maker = new JpegMaker(
                        1 + random.nextInt(200),
                        1 + random.nextInt(200),
                        SAMPLINGS[random.nextInt(SAMPLINGS.length)],
                        random);
                int across = Math.ceilDiv(maker.width, 8 * maker.sampling[0][0]);
                maker.restartInterval = random.nextBoolean() ? across : 1 + random.nextInt(2 * across);
                byte[] file = maker.make();
                if (i % 2 == 1) {
                    file = damage(file, random);
                }
                MemorySegment bytes = memory.asSlice(0, file.length).copyFrom(MemorySegment.ofArray(file));
                Region part = part(maker.width, maker.height, random);
                int reduce = 1 << random.nextInt(4);
                for (DecodeMode mode : MODES) {
                    JpegPlanes expected = JpegPlanes.of(alone, bytes, reduce, mode, part);
                    JpegPlanes actual = JpegPlanes.of(together, bytes, reduce, mode, part);
                    assertThat(actual.refusal())
                            .as("file %d of seed %d", i, SEED)
                            .isEqualTo(expected.refusal());
                    if (!expected.isRefused() && isOfSize(expected, maker, reduce)) {
                        assertThat(expected.differenceWithin(part, reduce, actual))
                                .as("file %d of seed %d, %s", i, SEED, part)
                                .isEmpty();
                        sound += 1 - i % 2;
                    }
                }
            }
        }
        assertThat(sound).isEqualTo(files);
    }

    /// Whether damage left the frame header as it was.
    private static boolean isOfSize(JpegPlanes planes, JpegMaker maker, int reduce) {
        int width = planes.widths()[0];
        return width == Math.ceilDiv(maker.width, reduce)
                && planes.planes()[0].length / width == Math.ceilDiv(maker.height, reduce);
    }

    private static byte[] damage(byte[] sound, SplittableRandom random) {
        byte[] file = sound.clone();
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
            int at = 2 + random.nextInt(file.length - 3);
            if (random.nextInt(3) == 0) {
                file[at] = (byte) 0xFF;
                file[at + 1] = (byte) random.nextInt(0xC0, 0x100);
            } else {
                file[at] = (byte) random.nextInt(256);
            }
        }
        return file;
    }

    private static Region part(int width, int height, SplittableRandom random) {
        if (random.nextInt(3) == 0) {
            return Region.whole(width, height);
        }
        int left = random.nextInt(width);
        int top = random.nextInt(height);
        return new Region(left, top, left + 1 + random.nextInt(width - left), top + 1 + random.nextInt(height - top));
    }

    /// Threads are asked for pictures of 8 megapixels with restart markers, and for no others.
    @Test
    void othersAreAskedOnlyWhereItIsWorthIt() {
        assertThat(asked(64, 64, 1, Arena.ofShared())).isZero();
        assertThat(asked(3200, 2400, 400, Arena.ofShared())).isZero();
        assertThat(asked(4000, 2008, 0, Arena.ofShared())).isZero();
        assertThat(asked(4000, 2008, 500, Arena.ofShared())).isPositive();
        assertThat(asked(4000, 2008, 500, Arena.ofConfined())).isZero();
    }

    private static int asked(int width, int height, int interval, Arena memory) {
        JpegMaker maker = new JpegMaker(width, height, new int[][] {{1, 1}}, new SplittableRandom(3));
        maker.restartInterval = interval;
        AtomicInteger asked = new AtomicInteger();
        try (memory;
                ImageDecoder decoder = ImageDecoder.create(
                        ImageSpec.original(),
                        JpegBackend.BEST,
                        Isolation.none(),
                        new IdleThreads(
                                task -> {
                                    asked.incrementAndGet();
                                    task.run();
                                },
                                2))) {
            MemorySegment bytes = TestFiles.toNative(maker.make(), memory);
            decoder.decodeInto(bytes, memory.allocate(3L * width * height));
        }
        return asked.get();
    }

    /// A batch's threads that have no image left help with the others.
    @Test
    void threadsOfABatchHelpWithItsLargePictures() {
        JpegMaker maker = new JpegMaker(4000, 2048, new int[][] {{2, 1}, {1, 1}, {1, 1}}, new SplittableRandom(4));
        maker.restartInterval = 250;
        byte[] file = maker.make();
        ImageSpec spec = ImageSpec.exact(100, 50);
        byte[] expected = JpegDecodingTest.decode(file, spec, JpegBackend.BEST);
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(spec, pool, 3);
                Tensor batch = batches.decode(List.of(MemorySegment.ofArray(file), MemorySegment.ofArray(file)))) {
            for (int row = 0; row < 2; row++) {
                assertThat(batch.row(row).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            }
        }
    }
}
