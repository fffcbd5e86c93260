package org.jspdl.benchmarks;

import ai.djl.basicdataset.cv.classification.ImageFolder;
import ai.djl.engine.Engine;
import ai.djl.modality.cv.transform.Normalize;
import ai.djl.modality.cv.transform.Resize;
import ai.djl.modality.cv.transform.ToTensor;
import ai.djl.ndarray.NDManager;
import ai.djl.repository.Repository;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspdl.data.dataset.LabeledFile;
import org.jspdl.data.loader.CacheLoader;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.djl.LoaderDataset;
import org.jspdl.examples.Photos;
import org.jspdl.examples.SmallNet;
import org.jspdl.examples.TrainWithDjl;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Samplers;

/// Epochs of DJL over a folder of images, with our loader or its own: a contestant of the scenario `djl`.
///
/// Run: `java -cp 'benchmarks/target/benchmarks.jar:benchmarks/target/lib/*' org.jspdl.benchmarks.DjlEpochs LOADER WORK
/// FOLDER EPOCHS`, with LOADER one of `jspdl`, `kept` (a few batches of it again and again) and `djl`, and WORK `load`
/// or `train`.
public final class DjlEpochs {
    private static final int SIZE = TrainWithDjl.SIZE;
    private static final int BATCH = TrainWithDjl.BATCH;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    private static final int KEPT = 4;
    private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
    private static final float[] DEVIATION = {0.229f, 0.224f, 0.225f};

    private DjlEpochs() {}

    /// Runs the epochs.
    public static void main(String[] arguments) throws Exception {
        Events.versions(
                "djl",
                Engine.getDjlVersion(),
                "pytorch",
                Engine.getEngine("PyTorch").getVersion(),
                "images",
                ai.djl.modality.cv.ImageFactory.getInstance().getClass().getSimpleName());
        boolean training = arguments[1].equals("train");
        String folder = arguments[2];
        int epochs = Integer.parseInt(arguments[3]);
        if (arguments[0].equals("djl")) {
            ImageFolder images = imageFolder(folder);
            run(images, images.getSynset().size(), training, epochs);
            return;
        }
        ImageSpec spec = ImageSpec.exact(SIZE, SIZE)
                .elements(ElementType.FLOAT32)
                .layout(Layout.NCHW)
                .normalization(Normalization.imageNet());
        try (Photos photos = Photos.open(folder, spec);
                DataLoader<RowBatch<LabeledFile>> loader =
                        photos.loader(Samplers.shuffled(photos.size(), 1), BATCH, THREADS)) {
            if (arguments[0].equals("jspdl")) {
                run(LoaderDataset.ofRows(loader, LabeledFile::label), photos.classes(), training, epochs);
                return;
            }
            try (CacheLoader<RowBatch<LabeledFile>> kept =
                    CacheLoader.of(loader, KEPT).stopAfter(loader.size().orElseThrow())) {
                run(LoaderDataset.ofRows(kept, LabeledFile::label), photos.classes(), training, epochs);
            }
        }
    }

    private static ImageFolder imageFolder(String folder) throws Exception {
        ImageFolder images = ImageFolder.builder()
                .setRepository(Repository.newInstance("images", Path.of(folder)))
                .addTransform(new Resize(SIZE, SIZE))
                .addTransform(new ToTensor())
                .addTransform(new Normalize(MEAN, DEVIATION))
                .setSampling(BATCH, true)
                .optPrefetchNumber(2 * THREADS)
                .build();
        images.prepare();
        return images;
    }

    private static void run(Dataset dataset, int classes, boolean training, int epochs) throws Exception {
        try (ExecutorService workers = Executors.newFixedThreadPool(THREADS)) {
            if (training) {
                try (SmallNet network = SmallNet.create(SIZE, classes)) {
                    Trainer trainer = network.trainer();
                    for (int i = 0; i < epochs; i++) {
                        boolean first = i == 0;
                        Events.epoch(() -> epoch(dataset, trainer.getManager(), workers, first, batch -> {
                            EasyTrain.trainBatch(trainer, batch);
                            trainer.step();
                        }));
                    }
                }
                return;
            }
            try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
                for (int i = 0; i < epochs; i++) {
                    boolean first = i == 0;
                    Events.epoch(() -> epoch(dataset, manager, workers, first, _ -> {}));
                }
            }
        }
    }

    private interface Step {
        void train(Batch batch);
    }

    private static long epoch(Dataset dataset, NDManager manager, ExecutorService workers, boolean first, Step step)
            throws Exception {
        long items = 0;
        for (Batch batch : dataset.getData(manager, workers)) {
            try (batch) {
                if (first && items == 0) {
                    Events.firstBatch();
                }
                step.train(batch);
                items += batch.getSize();
            }
        }
        return items;
    }
}
