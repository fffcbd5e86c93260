package org.jspdl.benchmarks;

import java.util.Iterator;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;

/// Lists a folder of images and takes one batch in a shuffled order: a contestant of the scenario `listing`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.FirstBatch FOLDER`
public final class FirstBatch {
    private static final int BATCH = 64;

    private FirstBatch() {}

    /// Lists the folder, which is the epoch that is told, and loads a batch.
    ///
    /// @param arguments the folder
    public static void main(String[] arguments) throws Exception {
        Events.versions();
        ImageLoaderOptions options =
                ImageLoaderOptions.defaults().batchSize(BATCH).shuffle(1);
        ImageLoader[] opened = new ImageLoader[1];
        Events.epoch(() -> {
            opened[0] = ImageLoader.open(arguments[0], options);
            return opened[0].imagesPerEpoch().orElseThrow();
        });
        try (ImageLoader loader = opened[0]) {
            Iterator<ImageBatch> batches = loader.iterator();
            batches.next().close();
            Events.firstBatch();
        }
    }
}
