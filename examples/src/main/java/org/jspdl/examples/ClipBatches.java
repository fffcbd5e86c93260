package org.jspdl.examples;

import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.video.FrameSampling;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;

/// Loads clips from all videos below a folder in batches for a video model: `[B, C, N, H, W]`, floats.
///
/// From every video two clips of 8 frames, every second one, from anywhere in it; only the groups of pictures that
/// these are in are decoded. Run it with the folder as its argument.
public final class ClipBatches {
    private static final int SIZE = 112;
    private static final int FRAMES = 8;
    private static final int STRIDE = 2;
    private static final int CLIPS_A_VIDEO = 2;
    private static final int BATCH = 4;
    private static final long POOL_BYTES = 512L << 20;
    private static final long SEED = 1;

    private ClipBatches() {}

    /// Expects one argument: the folder.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: ClipBatches FOLDER");
            return;
        }
        VideoSpec spec = VideoSpec.of(ImageSpec.shorterSide(SIZE + 16)
                        .centerCrop(SIZE, SIZE)
                        .layout(Layout.NCHW)
                        .elements(ElementType.FLOAT32))
                .channelsOutermost();
        try (BufferPool pool = BufferPool.create("clips", POOL_BYTES);
                VideoDecoder videos = VideoDecoder.create(spec);
                Run<Tensor> run = Pipeline.from(filesBelow(Path.of(arguments[0])))
                        .flatMap("clips", file -> clips(file, videos, pool), cpu(2).failures(FailurePolicy.skip(10)))
                        .batch(BATCH, Remainder.KEEP)
                        .pipe("stack", clips -> stack(clips, pool), cpu(1))
                        .prefetch(2)
                        .start()) {
            int batches = 0;
            for (Tensor batch : run) {
                try (batch) {
                    System.out.printf(Locale.ROOT, "batch %d: %s%n", ++batches, batch.shape());
                }
            }
            System.out.println(run.stats().bottleneck());
        }
    }

    private static List<Tensor> clips(Path file, VideoDecoder videos, BufferPool pool) {
        SplittableRandom random = new SplittableRandom(SEED + file.getFileName().hashCode());
        return videos.clips(
                MediaSource.of(file),
                index -> FrameSampling.randomClips(index.frames(), CLIPS_A_VIDEO, FRAMES, STRIDE, random),
                pool);
    }

    private static Tensor stack(List<Tensor> clips, BufferPool pool) {
        Shape one = clips.getFirst().shape();
        Tensor batch = Tensor.allocate(ElementType.FLOAT32, one.batched(clips.size()), pool);
        for (int row = 0; row < clips.size(); row++) {
            try (Tensor clip = clips.get(row)) {
                MemorySegment.copy(
                        clip.segment(), 0, batch.row(row), 0, clip.segment().byteSize());
            }
        }
        return batch;
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return new ArrayList<>(tree.filter(Files::isRegularFile).sorted().toList());
        }
    }
}
