package org.jspdl.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.pipeline.Checkpoint;

/// Two ranks begin an epoch over a folder of images, stop in the middle, and three go on: each image comes exactly
/// once.
///
/// Ranks are processes of their own in a training; here one after the other stands for them. Run it with the folder as
/// its argument.
public final class ResumeOnOtherRanks {
    private static final int SIZE = 32;
    private static final int BATCH = 4;
    private static final int BEFORE = 2;
    private static final int AFTER = 3;
    private static final long SEED = 1;

    private ResumeOnOtherRanks() {}

    /// Expects one argument: the folder.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: ResumeOnOtherRanks FOLDER");
            return;
        }
        String folder = arguments[0];
        Set<Integer> seen = new TreeSet<>();
        int delivered = 0;
        List<Checkpoint> states = new ArrayList<>();
        for (int rank = 0; rank < BEFORE; rank++) {
            try (ImageLoader loader = open(folder, rank, BEFORE)) {
                Iterator<ImageBatch> batches = loader.iterator();
                for (int taken = 0; taken <= rank; taken++) { // one batch of rank 0, two of rank 1
                    delivered += note(batches.next(), seen);
                }
                states.add(loader.state());
            }
        }
        System.out.println(BEFORE + " ranks loaded " + delivered + " images");

        Checkpoint all = Checkpoint.combine(states);
        for (int rank = 0; rank < AFTER; rank++) {
            try (ImageLoader loader = open(folder, rank, AFTER)) {
                loader.restore(all);
                for (ImageBatch batch : loader) {
                    delivered += note(batch, seen);
                }
            }
        }
        System.out.println(
                AFTER + " ranks went on: " + delivered + " images in all, " + seen.size() + " of them different");
    }

    private static ImageLoader open(String folder, int rank, int ranks) throws IOException {
        return ImageLoader.open(
                folder,
                ImageLoaderOptions.defaults()
                        .image(ImageSpec.shorterSide(SIZE).centerCrop(SIZE, SIZE))
                        .batchSize(BATCH)
                        .shuffle(SEED)
                        .shard(rank, ranks));
    }

    private static int note(ImageBatch batch, Set<Integer> seen) {
        try (batch) {
            for (int index : batch.indices()) {
                seen.add(index);
            }
            return batch.size();
        }
    }
}
