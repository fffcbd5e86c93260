package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whether a damaged JPEG file is refused depends on the rows that are wanted of it, and on nothing else: not on what
/// was decoded before, on columns, on the number of threads, nor, for sequential files, on the size.
class JpegCropVerdictTest {
    private static final int WIDTH = 96;
    private static final int HEIGHT = 128;
    private static final int UNIT = 16;
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 21);

    /// How a file is put together.
    enum Kind {
        BASELINE,
        RESTART_EACH_ROW,
        RESTART_ANYWHERE,
        SEVERAL_SCANS,
        PROGRESSIVE
    }

    @TempDir
    Path folder;

    private byte[] file(Kind kind, SplittableRandom random) throws IOException {
        JpegMaker maker = new JpegMaker(WIDTH, HEIGHT, new int[][] {{2, 2}, {1, 1}, {1, 1}}, random);
        maker.restartInterval = switch (kind) {
            case RESTART_EACH_ROW -> WIDTH / UNIT;
            case RESTART_ANYWHERE -> 4;
            default -> 0;
        };
        maker.interleaved = kind != Kind.SEVERAL_SCANS;
        byte[] file = maker.make();
        if (kind != Kind.PROGRESSIVE) {
            return file;
        }
        Path source = Files.write(folder.resolve("source.jpg"), file);
        return Programs.output(folder, List.of("jpegtran", "-progressive", source.toString()));
    }

    @ParameterizedTest
    @EnumSource
    void theVerdictDependsOnTheRowsAlone(Kind kind) throws IOException {
        if (kind == Kind.PROGRESSIVE) {
            Backends.requireTurboJpeg();
        }
        SplittableRandom random = new SplittableRandom(SEED + kind.ordinal());
        boolean sequential = kind != Kind.PROGRESSIVE;
        int belowTheCrop = 0;
        int seen = 0;
        try (Arena arena = Arena.ofShared();
                JpegCodec used = new JpegCodec();
                JpegCodec together = new JpegCodec(SharedWork.lent(Runnable::run, 3), 0)) {
            MemorySegment memory = arena.allocate(1 << 20);
            for (int i = 0; i < 60; i++) {
                byte[] damaged = damage(file(kind, random), random, i % 3);
                MemorySegment bytes = memory.asSlice(0, damaged.length).copyFrom(MemorySegment.ofArray(damaged));
                String whole = verdict(used, bytes, 1, Region.whole(WIDTH, HEIGHT));
                for (int top = 0; top < HEIGHT; top += 2 * UNIT) {
                    String above = "";
                    for (int bottom = top + UNIT; bottom <= HEIGHT; bottom += UNIT) {
                        String what = String.format("file %d of seed %d, rows %d to %d", i, SEED, top, bottom);
                        Region rows = new Region(0, top, WIDTH, bottom);
                        String verdict = verdict(used, bytes, 1, rows);
                        try (JpegCodec fresh = new JpegCodec()) {
                            assertThat(verdict(fresh, bytes, 1, rows)).as(what).isEqualTo(verdict);
                        }
                        assertThat(verdict(together, bytes, 1, rows)).as(what).isEqualTo(verdict);
                        Region columns = new Region(40, top, 50, bottom);
                        assertThat(verdict(used, bytes, 1, columns)).as(what).isEqualTo(verdict);
                        for (int reduce : sequential ? new int[] {2, 4, 8} : new int[] {2, 4}) {
                            assertThat(verdict(used, bytes, reduce, rows))
                                    .as("%s, at 1/%d", what, reduce)
                                    .isEqualTo(verdict);
                        }
                        // a crop never makes a file damaged, and a longer one sees more
                        if (whole.isEmpty()) {
                            assertThat(verdict).as(what).isEmpty();
                        }
                        if (!above.isEmpty()) {
                            assertThat(verdict).as(what).isNotEmpty();
                        }
                        if (top == 0 && bottom == HEIGHT) {
                            assertThat(verdict).as(what).isEqualTo(whole);
                        }
                        above = verdict;
                        seen += whole.isEmpty() || verdict.isEmpty() ? 0 : 1;
                        belowTheCrop += !whole.isEmpty() && verdict.isEmpty() ? 1 : 0;
                    }
                }
            }
        }
        System.out.printf("%s: %d crops refused, %d crops of refused files taken%n", kind, seen, belowTheCrop);
        assertThat(seen).isPositive();
        assertThat(belowTheCrop).isPositive();
    }

    private static String verdict(JpegCodec codec, MemorySegment bytes, int reduce, Region part) {
        return JpegPlanes.of(codec, bytes, reduce, DecodeMode.STRICT, part).refusal();
    }

    /// Damage of one byte, of some bytes that are lost, or of a marker.
    private static byte[] damage(byte[] sound, SplittableRandom random, int kind) {
        int data = sound.length / 5; // behind the tables
        int at = data + random.nextInt(sound.length - data - 40);
        byte[] file = sound.clone();
        switch (kind) {
            case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> {
                int lost = 1 + random.nextInt(30);
                System.arraycopy(sound, at + lost, file, at, sound.length - at - lost);
                file = Arrays.copyOf(file, file.length - lost);
            }
            default -> {
                file[at] = (byte) 0xFF;
                file[at + 1] = (byte) random.nextInt(0xC0, 0x100);
            }
        }
        return file;
    }

    /// Of eight intervals that are lost, no restart marker tells where they were: what lies above a crop, in it, or
    /// below it is another part of the picture.
    @Test
    void lostIntervalsAreNoticedWhateverTheCrop() throws IOException {
        byte[] sound = file(Kind.RESTART_ANYWHERE, new SplittableRandom(5));
        List<Integer> restarts = new ArrayList<>();
        for (int i = 0; i + 1 < sound.length; i++) {
            if (sound[i] == (byte) 0xFF && (sound[i + 1] & 0xF8) == 0xD0) {
                restarts.add(i);
            }
        }
        assertThat(restarts).hasSize(11);
        try (JpegCodec codec = new JpegCodec();
                Arena arena = Arena.ofShared()) {
            for (int first = 0; first < 3; first++) {
                int from = restarts.get(first);
                int to = restarts.get(first + 8);
                byte[] file = Arrays.copyOf(sound, sound.length - (to - from));
                System.arraycopy(sound, to, file, from, sound.length - to);
                MemorySegment bytes = TestFiles.toNative(file, arena);
                for (int top = 0; top < HEIGHT; top += UNIT) {
                    Region crop = new Region(0, top, WIDTH, top + UNIT);
                    assertThat(verdict(codec, bytes, 1, crop)).contains("the image data ends too early");
                }
            }
        }
    }
}
