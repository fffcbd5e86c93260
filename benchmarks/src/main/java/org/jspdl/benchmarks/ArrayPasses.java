package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspdl.archive.TarArchive;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.jspdl.wav.Wav;
import org.jspdl.wav.WavWriter;

/// Reads one file from memory over and over, on one thread, and prints what the last pass took: one contestant of the
/// scenario `arrays`, whose peer is `peers/arrays.py`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.ArrayPasses FORMAT
/// FOLDER ITEMS`; with `write` for FORMAT it makes the files.
public final class ArrayPasses {
    private static final int PASSES = 3;
    private static final int TAR_ENTRIES = 1000;

    private ArrayPasses() {}

    /// Reads a format, or writes the files.
    ///
    /// @param arguments a format, the folder of the files, and the number of items
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("write")) {
            write(folder);
            return;
        }
        int items = Integer.parseInt(arguments[2]);
        try (Arena arena = Arena.ofShared();
                BufferPool pool = BufferPool.create("arrays", 1 << 28)) {
            LongSupplier one = reading(arguments[0], folder, arena, pool);
            IO.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"}");
            IO.println("{\"event\": \"first_batch\"}");
            for (int pass = 0; pass < PASSES; pass++) {
                long start = System.nanoTime();
                long cpu = ProcessCpu.nanos();
                long done = 0;
                while (done < items) {
                    done += one.getAsLong();
                }
                IO.println(String.format(
                        Locale.ROOT,
                        "{\"event\": \"epoch\", \"items\": %d, \"seconds\": %f, \"cpu_seconds\": %f}",
                        done,
                        (System.nanoTime() - start) / 1e9,
                        (ProcessCpu.nanos() - cpu) / 1e9));
            }
        }
    }

    /// What reads some items and says how many.
    private static LongSupplier reading(String format, Path folder, Arena arena, BufferPool pool) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(file(format)));
        MemorySegment file = arena.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
        return switch (format) {
            case "npz-photo", "npz-tokens" ->
                () -> {
                    try (Tensor array = Npz.over(file).load("a", pool)) {
                        return array.shape().rank() > 0 ? 1 : 0;
                    }
                };
            case "npy" -> () -> Npy.view(file).shape().rank() > 0 ? 1 : 0;
            case "wav" ->
                () -> {
                    try (Tensor samples = Wav.parse(file).toFloat(pool, SampleLayout.INTERLEAVED)) {
                        return samples.shape().rank() > 0 ? 1 : 0;
                    }
                };
            case "tar" ->
                () -> {
                    TarArchive archive = TarArchive.over(file);
                    long entries = 0;
                    for (TarEntry entry : archive) {
                        entries += entry.name().isEmpty() || archive.data(entry).byteSize() == 0 ? 0 : 1;
                    }
                    return entries;
                };
            default -> throw new IllegalArgumentException("no format " + format);
        };
    }

    private static String file(String format) {
        return switch (format) {
            case "npz-photo" -> "photo.npz";
            case "npz-tokens" -> "tokens.npz";
            default -> "a." + format;
        };
    }

    private static void write(Path folder) throws IOException {
        ArrayFiles.main(new String[] {folder.toString()});
        Npy.write(
                folder.resolve("a.npy"),
                ArrayView.of(ElementType.UINT8, Shape.of(3, 64, 64), ArrayFiles.noise(3 * 64 * 64)));
        WavWriter.write(
                folder.resolve("a.wav"),
                ArrayView.of(ElementType.INT16, Shape.of(160_000, 1), ArrayFiles.noise(320_000)),
                16_000);
        try (TarWriter writer = TarWriter.create(folder.resolve("a.tar"))) {
            for (int i = 0; i < TAR_ENTRIES; i++) {
                writer.add(String.format(Locale.ROOT, "train/%08d.jpg", i), ArrayFiles.noise(256));
            }
        }
    }
}
