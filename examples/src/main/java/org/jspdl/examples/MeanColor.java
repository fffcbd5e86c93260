package org.jspdl.examples;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspdl.media.image.ImageBatches;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;

/// Prints the mean color of all images below a folder: what one needs to normalize a dataset.
///
/// Shows a pipeline from files to batches, a consumer that owns each batch, and what the run says about itself.
/// Run it with the folder as its argument.
public final class MeanColor {
    private static final int SIZE = 64;
    private static final int BATCH = 32;
    private static final long POOL_BYTES = 64L << 20;

    private final long[] sums = new long[3];
    private long pixels;

    private MeanColor() {}

    /// Expects one argument: the folder.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: MeanColor FOLDER");
            return;
        }
        System.out.println(new MeanColor().of(Path.of(arguments[0])));
    }

    private String of(Path folder) throws IOException {
        ImageSpec spec = ImageSpec.exact(SIZE, SIZE);
        try (BufferPool pool = BufferPool.create("batches", POOL_BYTES);
                ImageBatches images = ImageBatches.of(spec, pool);
                Run<Tensor> run = Pipeline.from(filesBelow(folder))
                        .pipe("read", Files::readAllBytes, cpu(2).failures(FailurePolicy.skip(10)))
                        .map(MemorySegment::ofArray)
                        .batch(BATCH, Remainder.KEEP)
                        .pipe("decode", images::decode, cpu(2))
                        .prefetch(2)
                        .start()) {
            for (Tensor batch : run) {
                try (batch) {
                    add(batch);
                }
            }
            return String.format(
                    Locale.ROOT,
                    "mean color %.1f %.1f %.1f of %,d pixels. %s",
                    mean(0),
                    mean(1),
                    mean(2),
                    pixels,
                    run.stats().bottleneck());
        }
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private void add(Tensor batch) {
        MemorySegment bytes = batch.segment();
        long elements = batch.shape().elements();
        for (long i = 0; i < elements; i++) {
            sums[(int) (i % 3)] += bytes.get(ValueLayout.JAVA_BYTE, i) & 0xFF;
        }
        pixels += elements / 3;
    }

    private double mean(int channel) {
        return pixels == 0 ? 0 : (double) sums[channel] / pixels;
    }
}
