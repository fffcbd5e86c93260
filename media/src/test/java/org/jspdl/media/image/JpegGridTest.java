package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The decoder in Java over a grid of sound files (sizes, samplings, colors, scans, restarts, quantization, reduced or
/// not), each decoded between other pictures: the samples of TurboJPEG and `djpeg`, to the bit.
class JpegGridTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 11);
    private static final int[] USUAL_SIZES = {128, 224, 256, 320};
    /// Of luma; chroma is sampled once.
    private static final int[][] USUAL = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}};
    /// For `jpegtran`: scripts of scans with all kinds of spectral selection and successive approximation.
    private static final List<String> SCRIPTS = List.of(
            "0,1,2: 0-0, 0, 0; 0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;",
            "0: 0-0, 0, 3; 1,2: 0-0, 0, 1; 0: 1-9, 0, 2; 0: 10-63, 0, 2; 1: 1-63, 0, 4; 2: 1-63, 0, 0;"
                    + "0: 0-0, 3, 2; 0: 1-63, 2, 1; 0: 0-0, 2, 1; 0: 1-63, 1, 0; 1: 1-63, 4, 3; 1: 1-63, 3, 2;"
                    + "1: 1-63, 2, 1; 1: 1-63, 1, 0; 0: 0-0, 1, 0; 1,2: 0-0, 1, 0;");

    @TempDir
    Path folder;

    private final MemorySegment black = flat(330, 0);
    private final MemorySegment white = flat(330, 255);

    @BeforeEach
    void requireTheLibrary() {
        Backends.requireTurboJpeg();
    }

    @Test
    void samplesAreThoseOfTurboJpeg() {
        SplittableRandom random = new SplittableRandom(SEED);
        int files = CAMPAIGN ? 60_000 : 700;
        try (JpegCodec ours = new JpegCodec();
                TurboJpegCodec library = new TurboJpegCodec()) {
            for (int i = 0; i < files; i++) {
                JpegMaker maker = maker(random);
                compare(ours, library, maker, maker.make(), 1 << random.nextInt(4), "file " + i + " of seed " + SEED);
            }
        }
    }

    /// The same with the scans that `jpegtran` makes: progressive, with restarts by rows or blocks, optimized
    /// codes.
    @Test
    void progressiveSamplesAreThoseOfTurboJpeg() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        int files = CAMPAIGN ? 4_000 : 60;
        Path source = folder.resolve("source.jpg");
        Path script = folder.resolve("script");
        try (JpegCodec ours = new JpegCodec();
                TurboJpegCodec library = new TurboJpegCodec()) {
            for (int i = 0; i < files; i++) {
                JpegMaker maker = maker(random);
                Files.write(source, maker.make());
                List<String> command = new ArrayList<>(List.of("jpegtran"));
                int kind = random.nextInt(maker.sampling.length == 3 ? 4 : 2);
                if (kind < 2) {
                    command.add(kind == 0 ? "-progressive" : "-optimize");
                } else {
                    Files.writeString(script, SCRIPTS.get(kind - 2));
                    command.addAll(List.of("-scans", script.toString()));
                }
                if (random.nextInt(3) == 0) {
                    command.addAll(List.of("-restart", 1 + random.nextInt(5) + (random.nextBoolean() ? "B" : "")));
                }
                command.add(source.toString());
                byte[] file = Programs.output(folder, command);
                compare(
                        ours,
                        library,
                        maker,
                        file,
                        1 << random.nextInt(4),
                        "file " + i + " of seed " + SEED + ", " + command);
            }
        }
    }

    /// All samplings of red, green and blue that divide each other, which TurboJPEG has no names for.
    @Test
    void everySamplingIsEnlargedAsByDjpeg() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED + 2);
        int files = CAMPAIGN ? 3_000 : 60;
        Path source = folder.resolve("source.jpg");
        try (JpegCodec ours = new JpegCodec()) {
            for (int i = 0; i < files; i++) {
                int[][] sampling = new int[3][];
                int across = 1 + random.nextInt(4);
                int down = 1 + random.nextInt(4);
                do {
                    for (int c = 0; c < 3; c++) {
                        sampling[c] = new int[] {divisor(across, random), divisor(down, random)};
                    }
                } while (!isAllowed(sampling, across, down));
                JpegMaker maker = new JpegMaker(size(random), size(random), sampling, random);
                maker.identifiers = "RGB";
                maker.interleaved = random.nextInt(3) > 0;
                maker.restartInterval = random.nextInt(3) == 0 ? 1 + random.nextInt(9) : 0;
                byte[] file = maker.make();
                Files.write(source, file);
                byte[] pixels = pixels(Programs.output(folder, List.of("djpeg", "-ppm", source.toString())), maker);
                JpegPlanes planes = decode(ours, file, 1);
                String what = String.format("file %d of seed %d, %s", i, SEED, Arrays.deepToString(sampling));
                assertThat(planes.refusal()).as(what).isEmpty();
                for (int p = 0; p < pixels.length; p++) {
                    assertThat(planes.planes()[p % 3][p / 3])
                            .as("%s, byte %d", what, p)
                            .isEqualTo(pixels[p]);
                }
            }
        }
    }

    private static boolean isAllowed(int[][] sampling, int across, int down) {
        int blocks = 0;
        int widest = 0;
        int tallest = 0;
        for (int[] one : sampling) {
            blocks += one[0] * one[1];
            widest = Math.max(widest, one[0]);
            tallest = Math.max(tallest, one[1]);
        }
        return blocks <= 10 && widest == across && tallest == down;
    }

    private static int divisor(int of, SplittableRandom random) {
        int divisor;
        do {
            divisor = 1 + random.nextInt(of);
        } while (of % divisor != 0);
        return divisor;
    }

    /// The last bytes of a portable pixmap.
    private static byte[] pixels(byte[] portable, JpegMaker maker) {
        return Arrays.copyOfRange(portable, portable.length - 3 * maker.width * maker.height, portable.length);
    }

    static JpegMaker maker(SplittableRandom random) {
        int[] first = USUAL[random.nextInt(USUAL.length)];
        int[] once = {1, 1};
        int[][] sampling = switch (random.nextInt(6)) {
            case 0 -> new int[][] {{1 + random.nextInt(3), 1 + random.nextInt(3)}};
            case 1 -> new int[][] {first, once, once, first};
            default -> new int[][] {first, once, once};
        };
        JpegMaker maker = new JpegMaker(size(random), size(random), sampling, random);
        maker.step = random.nextInt(3) == 0 ? random.nextInt(100) : random.nextInt(12);
        maker.jfif = sampling.length < 4 && random.nextBoolean();
        maker.restartInterval = random.nextInt(3) == 0 ? 1 + random.nextInt(30) : 0;
        maker.interleaved = random.nextInt(4) > 0;
        if (sampling.length == 4) {
            maker.adobe = random.nextInt(2) * 2;
        } else if (sampling.length == 3 && random.nextBoolean()) {
            maker.adobe = 1;
        }
        return maker;
    }

    private static int size(SplittableRandom random) {
        return random.nextInt(8) == 0
                ? USUAL_SIZES[random.nextInt(USUAL_SIZES.length)] + random.nextInt(3) - 1
                : 1 + random.nextInt(64);
    }

    private void compare(
            JpegCodec ours, TurboJpegCodec library, JpegMaker maker, byte[] file, int reduce, String what) {
        JpegPlanes whole = decode(ours, file, 1);
        JpegPlanes theirs = JpegPlanes.of(library, file, 1, DecodeMode.STRICT);
        assertThat(whole.refusal()).as(what).isEmpty();
        assertThat(whole.difference(theirs)).as(what).isEmpty();
        boolean inks = whole.model() == org.jspdl.media.internal.resample.Picture.Model.RGB;
        if (!inks && isReducedAsAsked(maker, reduce)) { // the library enlarges inks before they are converted
            assertThat(decode(ours, file, reduce).difference(JpegPlanes.of(library, file, reduce, DecodeMode.STRICT)))
                    .as("%s at 1/%d", what, reduce)
                    .isEmpty();
        }
        assertThat(JpegPlanes.of(ours, file, 1, JpegPlanes.KEPT).difference(whole))
                .as("%s, kept", what)
                .isEmpty();
    }

    /// TurboJPEG is asked for a size, and takes the largest scale that comes to it.
    private static boolean isReducedAsAsked(JpegMaker maker, int reduce) {
        int eighths = 8 / reduce;
        return reduce == 1
                || (maker.width * (eighths + 1) + 7) / 8 > (maker.width * eighths + 7) / 8
                || (maker.height * (eighths + 1) + 7) / 8 > (maker.height * eighths + 7) / 8;
    }

    /// Twice, after a black and after a white picture, whose samples would show.
    private JpegPlanes decode(JpegCodec codec, byte[] file, int reduce) {
        JpegPlanes.poison(codec, black);
        JpegPlanes first = JpegPlanes.of(codec, file, reduce, DecodeMode.STRICT);
        JpegPlanes.poison(codec, white);
        assertThat(JpegPlanes.of(codec, file, reduce, DecodeMode.STRICT).difference(first))
                .isEmpty();
        return first;
    }

    static MemorySegment flat(int size, int value) {
        byte[] pixels = new byte[size * size * 3];
        Arrays.fill(pixels, (byte) value);
        byte[] file = ImageEncoderTest.encode(
                ImageEncoder.jpeg(95, ChromaSampling.FULL), pixels, Shape.of(size, size, 3), ElementType.UINT8);
        return TestFiles.toNative(file, Arena.ofAuto());
    }
}
