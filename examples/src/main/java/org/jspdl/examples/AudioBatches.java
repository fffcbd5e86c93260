package org.jspdl.examples;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;

/// Loads all sounds below a folder in batches of equal length, with a mask of what is sound and what is padding.
///
/// Each is resampled to 16 kHz, mixed to one channel, and cut or padded to two seconds. Run it with the folder as its
/// argument.
public final class AudioBatches {
    private static final int RATE = 16_000;
    private static final int SAMPLES = 2 * RATE;
    private static final int BATCH = 4;
    private static final long POOL_BYTES = 64L << 20;

    /// The sounds `[B, 1, N]`, and for each of their samples a 1, or a 0 for padding: `[B, N]`.
    private record Batch(Tensor sounds, Tensor mask) implements AutoCloseable {
        @Override
        public void close() {
            sounds.close();
            mask.close();
        }
    }

    private AudioBatches() {}

    /// Expects one argument: the folder.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: AudioBatches FOLDER");
            return;
        }
        AudioSpec spec = AudioSpec.original().sampleRateHz(RATE).channels(1).samples(SAMPLES);
        try (BufferPool pool = BufferPool.create("sounds", POOL_BYTES);
                AudioDecoder sounds = AudioDecoder.create(spec);
                Run<Batch> run = Pipeline.from(filesBelow(Path.of(arguments[0])))
                        .batch(BATCH, Remainder.KEEP)
                        .pipe("decode", files -> decode(files, sounds, pool), cpu(2))
                        .prefetch(2)
                        .start()) {
            int batches = 0;
            for (Batch batch : run) {
                try (batch) {
                    System.out.printf(
                            Locale.ROOT,
                            "batch %d: %s, %.0f %% sound%n",
                            ++batches,
                            batch.sounds.shape(),
                            100 * shareOfOnes(batch.mask));
                }
            }
            System.out.println(run.stats().bottleneck());
        }
    }

    private static Batch decode(List<Path> files, AudioDecoder sounds, BufferPool pool) {
        Tensor batch =
                Tensor.allocate(ElementType.FLOAT32, sounds.spec().rowShape().batched(files.size()), pool);
        Tensor mask = Tensor.allocate(ElementType.UINT8, Shape.of(files.size(), SAMPLES), pool);
        try {
            for (int row = 0; row < files.size(); row++) {
                long length = sounds.decodeInto(MediaSource.of(files.get(row)), batch.row(row));
                mask.row(row).fill((byte) 0);
                mask.row(row).asSlice(0, length).fill((byte) 1);
            }
            return new Batch(batch, mask);
        } catch (Throwable failure) {
            batch.close();
            mask.close();
            throw failure;
        }
    }

    private static double shareOfOnes(Tensor mask) {
        long ones = 0;
        long count = mask.shape().elements();
        for (long i = 0; i < count; i++) {
            ones += mask.segment().get(ValueLayout.JAVA_BYTE, i);
        }
        return (double) ones / count;
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
