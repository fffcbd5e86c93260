package org.jspdl.examples;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspdl.data.dataset.LabeledFile;
import org.jspdl.data.loader.DataLoader;
import org.jspdl.data.loader.RowBatch;
import org.jspdl.examples.onnx.OnnxModel;
import org.jspdl.examples.onnx.OnnxOutputs;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.source.Samplers;
import org.jspdl.source.Subset;

/// Classifies the photographs of a folder in batches, with ONNX Runtime.
///
/// The model is made first, from four photographs in five, by running a smaller model; it classifies the rest. Run it
/// with the folder, which has a sub-folder for each class, and the file for the model as its arguments.
public final class ClassifyWithOnnx {
    private static final int SIZE = 64;
    private static final int BATCH = 32;
    private static final long POOL_BYTES = 64L << 20;
    private static final int WORKERS = Runtime.getRuntime().availableProcessors();

    private ClassifyWithOnnx() {}

    /// Expects two arguments: the folder, and where the model is written to.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("usage: ClassifyWithOnnx FOLDER MODEL");
            return;
        }
        Path model = Path.of(arguments[1]);
        try (Photos photos = Photos.open(arguments[0], ImageSpec.exact(SIZE, SIZE));
                BufferPool pool = BufferPool.create("outputs", POOL_BYTES)) {
            make(model, photos, pool);
            classify(model, photos, pool);
        }
    }

    private static void make(Path file, Photos photos, BufferPool pool) throws IOException {
        Files.write(file, ClassMeans.thumbnails(SIZE).toBytes());
        ClassMeans means = new ClassMeans(photos.classes());
        try (OnnxModel model = OnnxModel.open(file, 1, pool);
                DataLoader<RowBatch<LabeledFile>> loader = loader(photos, photos.training())) {
            for (RowBatch<LabeledFile> batch : loader) {
                try (batch;
                        OnnxOutputs outputs = model.run(Map.of("images", batch.tensor()))) {
                    Tensor features = outputs.tensor("features");
                    for (int i = 0; i < batch.size(); i++) {
                        means.add(batch.items().get(i).label(), features.row(i).toArray(JAVA_FLOAT));
                    }
                }
            }
        }
        Files.write(file, means.classifier(SIZE).toBytes());
    }

    private static void classify(Path file, Photos photos, BufferPool pool) {
        long right = 0;
        long seen = 0;
        long start = System.nanoTime();
        try (OnnxModel model = OnnxModel.open(file, 1, pool);
                DataLoader<RowBatch<LabeledFile>> loader = loader(photos, photos.validation())) {
            for (RowBatch<LabeledFile> batch : loader) {
                try (batch;
                        OnnxOutputs outputs = model.run(Map.of("images", batch.tensor()))) {
                    long[] classes = outputs.tensor("classes").segment().toArray(JAVA_LONG);
                    for (int i = 0; i < batch.size(); i++) {
                        right += classes[i] == batch.items().get(i).label() ? 1 : 0;
                        seen++;
                    }
                }
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%d photographs of %d classes, %.1f %% right, %.0f photographs/s%n",
                seen,
                photos.classes(),
                100.0 * right / seen,
                seen / seconds);
    }

    private static DataLoader<RowBatch<LabeledFile>> loader(Photos photos, Subset which) {
        return photos.loader(Samplers.sequential(which.size()).within(which), BATCH, WORKERS);
    }
}
