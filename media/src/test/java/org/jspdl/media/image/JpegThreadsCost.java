package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.lifetime.SharedWork;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;

/// How much sooner is a photograph of 24 megapixels with restart markers decoded by two threads? One and two take turns
/// over a sheet of photographs; the report has medians of milliseconds from call to return.
///
/// Run: `java -cp ... org.jspdl.media.image.JpegThreadsCost FOLDER [ROUNDS]`, with the test and main classes of core
/// and media, and `jpegtran`.
final class JpegThreadsCost {
    private static final int WIDTH = 6000;
    private static final int HEIGHT = 4000;
    private static final int TILE = 500;

    private JpegThreadsCost() {}

    public static void main(String[] arguments) throws IOException {
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 15;
        Path folder = Files.createTempDirectory("jpeg-threads");
        try (Arena arena = Arena.ofShared();
                ExecutorService threads = Executors.newFixedThreadPool(1)) {
            Path sheet = Files.write(folder.resolve("sheet.jpg"), sheet(Path.of(arguments[0])));
            for (String restart : new String[] {"1", "8B"}) {
                byte[] bytes = Programs.output(folder, List.of("jpegtran", "-restart", restart, sheet.toString()));
                MemorySegment file = TestFiles.toNative(bytes, arena);
                System.out.printf(Locale.ROOT, "-restart %s: %,d bytes%n", restart, bytes.length);
                for (int reduce : new int[] {1, 2, 4, 8}) {
                    compare(file, reduce, rounds, threads);
                }
            }
        }
    }

    private static void compare(MemorySegment file, int reduce, int rounds, ExecutorService threads) {
        List<Double> alone = new ArrayList<>();
        List<Double> together = new ArrayList<>();
        try (JpegCodec one = new JpegCodec();
                JpegCodec two = new JpegCodec(SharedWork.lent(threads, 2))) {
            for (int i = 0; i < rounds; i++) {
                alone.add(milliseconds(one, file, reduce));
                together.add(milliseconds(two, file, reduce));
            }
        }
        double before = DecodingCost.median(alone);
        double after = DecodingCost.median(together);
        System.out.printf(
                Locale.ROOT,
                "  1/%d: %.0f ms alone, %.0f ms by two, %.2f times%n",
                reduce,
                before,
                after,
                before / after);
    }

    private static double milliseconds(JpegCodec codec, MemorySegment file, int reduce) {
        ImageHeader header = new ImageHeader();
        ImageHeaders.read(file, header);
        long start = System.nanoTime();
        codec.decode(file, header, reduce, Region.whole(WIDTH, HEIGHT), DecodeMode.STRICT, new Picture());
        return (System.nanoTime() - start) / 1e6;
    }

    /// Photographs side by side.
    private static byte[] sheet(Path folder) throws IOException {
        byte[] sheet = new byte[WIDTH * HEIGHT * 3];
        List<Path> files = DecodingCost.files(folder);
        ImageSpec spec = ImageSpec.exact(TILE, TILE);
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(spec)) {
            MemorySegment tile = arena.allocate(spec.rowBytes());
            for (int i = 0; i < WIDTH / TILE * (HEIGHT / TILE); i++) {
                byte[] file = Files.readAllBytes(files.get(i % files.size()));
                decoder.decodeInto(MemorySegment.ofArray(file), tile);
                int left = i % (WIDTH / TILE) * TILE;
                int top = i / (WIDTH / TILE) * TILE;
                for (int y = 0; y < TILE; y++) {
                    int into = ((top + y) * WIDTH + left) * 3;
                    MemorySegment.copy(tile, ValueLayout.JAVA_BYTE, 3L * TILE * y, sheet, into, 3 * TILE);
                }
            }
        }
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(90, ChromaSampling.HALF_BOTH), sheet, Shape.of(HEIGHT, WIDTH, 3), ElementType.UINT8);
    }
}
