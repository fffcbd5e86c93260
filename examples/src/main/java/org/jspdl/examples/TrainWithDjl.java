package org.jspdl.examples;

import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.translate.TranslateException;
import java.io.IOException;
import java.util.Locale;
import org.jspdl.data.dataset.LabeledFile;
import org.jspdl.data.loader.CacheLoader;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.djl.LoaderDataset;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Samplers;
import org.jspdl.source.Subset;

/// Trains a small network to tell the classes of photographs, with DJL's PyTorch engine on the processor, and says how
/// much faster a step would be if the data cost nothing.
///
/// Four photographs in five are for training; the accuracy is that on the rest. Run it with the folder, which has a
/// sub-folder for each class, and the number of epochs as its arguments.
public final class TrainWithDjl {
    /// Pixels along each side of a picture.
    public static final int SIZE = 64;
    /// Pictures in a batch.
    public static final int BATCH = 32;

    private static final long SEED = 7;
    private static final int KEPT = 4;
    private static final int MOST_STEPS = 30;
    private static final int WORKERS = Runtime.getRuntime().availableProcessors();

    private TrainWithDjl() {}

    /// How a picture goes into the network: normalized floats, channels first.
    public static ImageSpec picture() {
        return ImageSpec.shorterSide(SIZE)
                .centerCrop(SIZE, SIZE)
                .elements(ElementType.FLOAT32)
                .layout(Layout.NCHW)
                .normalization(Normalization.imageNet());
    }

    /// Expects two arguments: the folder and the number of epochs.
    public static void main(String[] arguments) throws IOException, TranslateException {
        if (arguments.length != 2) {
            System.err.println("usage: TrainWithDjl FOLDER EPOCHS");
            return;
        }
        try (Photos photos = Photos.open(arguments[0], picture());
                SmallNet network = SmallNet.create(SIZE, photos.classes())) {
            train(photos, network.trainer(), Integer.parseInt(arguments[1]));
            headroom(photos, network.trainer());
        }
    }

    private static void train(Photos photos, Trainer trainer, int epochs) throws IOException, TranslateException {
        Subset held = photos.validation();
        try (DataLoader<RowBatch<LabeledFile>> training = shuffled(photos);
                DataLoader<RowBatch<LabeledFile>> validation =
                        photos.loader(Samplers.sequential(held.size()).within(held), BATCH, WORKERS)) {
            EasyTrain.fit(
                    trainer,
                    epochs,
                    LoaderDataset.ofRows(training, LabeledFile::label),
                    LoaderDataset.ofRows(validation, LabeledFile::label));
        }
        System.out.printf(
                Locale.ROOT,
                "accuracy %.1f %% on %d photographs of %d classes that it was not trained on%n",
                100 * trainer.getTrainingResult().getValidateEvaluation("Accuracy"),
                held.size(),
                photos.classes());
    }

    private static DataLoader<RowBatch<LabeledFile>> shuffled(Photos photos) {
        Subset learned = photos.training();
        return photos.loader(Samplers.shuffled(learned.size(), SEED).within(learned), BATCH, WORKERS);
    }

    /// Steps with the loader, and the same steps with a few batches that are kept: what the data costs a step.
    private static void headroom(Photos photos, Trainer trainer) throws IOException, TranslateException {
        try (DataLoader<RowBatch<LabeledFile>> loader = shuffled(photos);
                CacheLoader<RowBatch<LabeledFile>> kept =
                        CacheLoader.of(loader, KEPT).stopAfter(MOST_STEPS)) {
            double loading = stepMillis(loader, trainer);
            stepMillis(kept, trainer); // fills it
            double perfect = stepMillis(kept, trainer);
            System.out.printf(
                    Locale.ROOT,
                    "a step takes %.1f ms, and %.1f ms with batches that are kept: the data costs %.0f %% of it%n",
                    loading,
                    perfect,
                    100 * Math.max(0, loading - perfect) / loading);
        }
    }

    private static double stepMillis(Iterable<RowBatch<LabeledFile>> loader, Trainer trainer)
            throws IOException, TranslateException {
        LoaderDataset<RowBatch<LabeledFile>> dataset = LoaderDataset.ofRows(loader, LabeledFile::label);
        int steps = 0;
        long start = System.nanoTime();
        for (Batch batch : trainer.iterateDataset(dataset)) {
            try (batch) {
                EasyTrain.trainBatch(trainer, batch);
                trainer.step();
                steps++;
            }
        }
        return (System.nanoTime() - start) / 1e6 / steps;
    }
}
