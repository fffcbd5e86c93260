package org.jspdl.examples;

import java.util.List;
import java.util.Map;
import org.jspdl.memory.ElementType;
import org.jspdl.onnx.file.OnnxFile;

/// A classifier that picks the class whose mean picture is nearest, as ONNX models.
///
/// A picture is looked at as a thumbnail of 8 x 8. The squared distance to a mean m is |x|^2 - 2 m.x + |m|^2, so the
/// nearest class has the largest 2 m.x - |m|^2: a linear layer.
final class ClassMeans {
    private static final int THUMBNAIL = 8;
    private static final int FEATURES = THUMBNAIL * THUMBNAIL * 3;

    private final double[][] sums;
    private final long[] counts;

    ClassMeans(int classes) {
        sums = new double[classes][FEATURES];
        counts = new long[classes];
    }

    /// A model that makes features of pictures of `size` x `size` pixels: `images` to `features`.
    static OnnxFile thumbnails(int size) {
        return pooled(size).output("features", ElementType.FLOAT32, "batch", FEATURES);
    }

    private static OnnxFile pooled(int size) {
        long[] window = {size / THUMBNAIL, size / THUMBNAIL};
        return new OnnxFile()
                .input("images", ElementType.UINT8, "batch", size, size, 3)
                .operator("Cast", List.of("images"), "floats", Map.of("to", 1L))
                .operator("Transpose", List.of("floats"), "planes", Map.of("perm", new long[] {0, 3, 1, 2}))
                .operator(
                        "AveragePool",
                        List.of("planes"),
                        "thumbnails",
                        Map.of("kernel_shape", window, "strides", window))
                .operator("Flatten", List.of("thumbnails"), "features");
    }

    /// Counts one picture of a class.
    void add(int label, float[] features) {
        for (int i = 0; i < FEATURES; i++) {
            sums[label][i] += features[i];
        }
        counts[label]++;
    }

    /// The classifier of what was counted: `images` to the numbers of their `classes`.
    OnnxFile classifier(int size) {
        float[] weights = new float[sums.length * FEATURES];
        float[] biases = new float[sums.length];
        for (int label = 0; label < sums.length; label++) {
            double square = 0;
            for (int i = 0; i < FEATURES; i++) {
                double mean = sums[label][i] / Math.max(1, counts[label]);
                weights[label * FEATURES + i] = (float) (2 * mean);
                square += mean * mean;
            }
            biases[label] = (float) -square;
        }
        return pooled(size)
                .constant("weights", weights, sums.length, FEATURES)
                .constant("biases", biases, sums.length)
                .operator("Gemm", List.of("features", "weights", "biases"), "scores", Map.of("transB", 1L))
                .operator("ArgMax", List.of("scores"), "classes", Map.of("axis", 1L, "keepdims", 0L))
                .output("classes", ElementType.INT64, "batch");
    }
}
