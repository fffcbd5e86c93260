package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.NpzWriter;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// The content of files that are parsed in measurements, and the files for the peers:
/// `java -cp ... org.jspdl.benchmarks.ArrayFiles FOLDER`.
public final class ArrayFiles {
    private ArrayFiles() {}

    /// Writes what both Python and we read.
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Files.createDirectories(folder);
        try (NpzWriter writer = NpzWriter.create(folder.resolve("photo.npz"), ZipWriter.Method.DEFLATED)) {
            writer.add("a", ArrayView.of(ElementType.UINT8, Shape.of(448, 448, 3), photo(448, 448)));
        }
        try (NpzWriter writer = NpzWriter.create(folder.resolve("tokens.npz"), ZipWriter.Method.DEFLATED)) {
            writer.add("a", ArrayView.of(ElementType.INT64, Shape.of(75_000), tokens(75_000)));
        }
    }

    /// Bytes without any pattern.
    static MemorySegment noise(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    /// Smooth colors with the noise of a camera.
    static MemorySegment photo(int height, int width) {
        SplittableRandom random = new SplittableRandom(1);
        byte[] pixels = new byte[height * width * 3];
        for (int i = 0; i < pixels.length; i++) {
            int x = i / 3 % width;
            int y = i / 3 / width;
            double value = 128 + 60 * Math.sin(x / 37.0) + 40 * Math.cos(y / 23.0 + i % 3) + 3 * random.nextGaussian();
            pixels[i] = (byte) Math.clamp(Math.round(value), 0, 255);
        }
        return MemorySegment.ofArray(pixels);
    }

    /// Numbers below 32,000, all as likely.
    static MemorySegment tokens(int count) {
        return MemorySegment.ofArray(
                new SplittableRandom(1).longs(count, 0, 32_000).toArray());
    }

    static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
