package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspdl.archive.TarArchive;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.ZipWriter;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.array.NpzWriter;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.jspdl.wav.Wav;
import org.jspdl.wav.WavWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// How many files does one core turn into tensors or views of tensors a second, from memory?
///
/// The score is headers parsed (`wav`, `npy`), entries (`tar*`), arrays (`npz*`) or recordings (`wavToFloat*`) a
/// second. A recording has 10 seconds: of 16 kHz mono or of 44.1 kHz stereo, 16 bits. An archive has 1,000 entries of
/// 256 bytes.
///
/// Run: `java -jar benchmarks/target/benchmarks.jar ArrayParsing`
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ArrayParsing {
    static final int ENTRIES = 1000;

    private final Arena arena = Arena.ofShared();
    private BufferPool pool = BufferPool.create("benchmark", 1 << 26);
    private Path folder = Path.of("");
    private MemorySegment wav = MemorySegment.NULL;
    private MemorySegment mono = MemorySegment.NULL;
    private MemorySegment stereo = MemorySegment.NULL;
    private MemorySegment floats = MemorySegment.NULL;
    private MemorySegment npy = MemorySegment.NULL;
    private MemorySegment tar = MemorySegment.NULL;
    private MemorySegment photo = MemorySegment.NULL;
    private MemorySegment tokens = MemorySegment.NULL;

    /// Made by JMH.
    public ArrayParsing() {}

    /// Makes the files, outside the measurement.
    @Setup
    public void prepare() throws IOException {
        folder = Files.createTempDirectory("jspdl-arrays");
        pool = BufferPool.create("benchmark", 1 << 26);
        wav = wav("wav", 1, 16_000);
        mono = wav("mono", 1, 160_000);
        stereo = wav("stereo", 2, 441_000);
        floats = arena.allocate(4L * 882_000, 64);
        Path npyFile = folder.resolve("a.npy");
        Npy.write(npyFile, ArrayView.of(ElementType.UINT8, Shape.of(3, 64, 64), ArrayFiles.noise(3 * 64 * 64)));
        npy = load(npyFile);
        try (TarWriter writer = TarWriter.create(tarFile())) {
            for (int i = 0; i < ENTRIES; i++) {
                writer.add(String.format("train/%08d.jpg", i), ArrayFiles.noise(256));
            }
        }
        tar = load(tarFile());
        photo = npz("photo.npz", ElementType.UINT8, Shape.of(448, 448, 3), ArrayFiles.photo(448, 448));
        tokens = npz("tokens.npz", ElementType.INT64, Shape.of(75_000), ArrayFiles.tokens(75_000));
    }

    private Path tarFile() {
        return folder.resolve("a.tar");
    }

    private MemorySegment npz(String name, ElementType type, Shape shape, MemorySegment content) throws IOException {
        Path file = folder.resolve(name);
        try (NpzWriter writer = NpzWriter.create(file, ZipWriter.Method.DEFLATED)) {
            writer.add("a", ArrayView.of(type, shape, content));
        }
        return load(file);
    }

    private MemorySegment wav(String name, int channels, int frames) throws IOException {
        Path file = folder.resolve(name);
        MemorySegment samples = ArrayFiles.noise(2 * channels * frames);
        WavWriter.write(file, ArrayView.of(ElementType.INT16, Shape.of(frames, channels), samples), 16_000);
        return load(file);
    }

    private MemorySegment load(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        MemorySegment copy = arena.allocate(bytes.length, 64);
        return copy.copyFrom(MemorySegment.ofArray(bytes));
    }

    /// Removes the files.
    @TearDown
    public void remove() throws IOException {
        pool.close();
        arena.close();
        ArrayFiles.delete(folder);
    }

    /// A WAV header to a view of its samples.
    @Benchmark
    public ArrayView wav() {
        return Wav.parse(wav).samples();
    }

    /// An NPY header to a view of its elements.
    @Benchmark
    public ArrayView npy() {
        return Npy.view(npy);
    }

    /// 10 s of 16 kHz mono to floats.
    @Benchmark
    public void wavToFloatMono(Blackhole hole) {
        Wav.parse(mono).toFloat(floats, SampleLayout.INTERLEAVED);
        hole.consume(floats);
    }

    /// 10 s of 44.1 kHz stereo to floats.
    @Benchmark
    public void wavToFloatStereo(Blackhole hole) {
        Wav.parse(stereo).toFloat(floats, SampleLayout.INTERLEAVED);
        hole.consume(floats);
    }

    /// The content of every entry of an archive in memory.
    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void tar(Blackhole hole) {
        TarArchive archive = TarArchive.over(tar);
        for (TarEntry entry : archive) {
            hole.consume(archive.data(entry));
        }
    }

    /// The same, and the names.
    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void tarWithNames(Blackhole hole) {
        TarArchive archive = TarArchive.over(tar);
        for (TarEntry entry : archive) {
            hole.consume(entry.name());
            hole.consume(archive.data(entry));
        }
    }

    /// Names and content of every entry of a file, copied into memory.
    @Benchmark
    @OperationsPerInvocation(ENTRIES)
    public void tarFromFile(Blackhole hole) throws IOException {
        try (TarStream stream = TarStream.open(tarFile())) {
            while (stream.advance()) {
                hole.consume(stream.entry().name());
                stream.read(floats.asSlice(0, stream.remaining()));
            }
        }
    }

    /// A deflated array of 602,112 noisy pixels, which hardly compress.
    @Benchmark
    public ElementType npzPhoto() {
        try (Tensor tensor = Npz.over(photo).load("a", pool)) {
            return tensor.type();
        }
    }

    /// A deflated array of 75,000 token numbers in 600,000 bytes, a third of which is left.
    @Benchmark
    public ElementType npzTokens() {
        try (Tensor tensor = Npz.over(tokens).load("a", pool)) {
            return tensor.type();
        }
    }
}
