package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.memory.ElementType;
import org.jspdl.onnx.file.OnnxFile;

/// A model of the kind that documents name `encoder.onnx`: means of colors as an embedding.
final class Encoder {
    private static final int SIDE = 224;

    private Encoder() {}

    static void write(Path file) throws IOException {
        Files.write(
                file,
                new OnnxFile()
                        .input("image", ElementType.FLOAT32, "batch", 3, SIDE, SIDE)
                        .operator("GlobalAveragePool", List.of("image"), "means")
                        .operator("Flatten", List.of("means"), "embedding")
                        .output("embedding", ElementType.FLOAT32, "batch", 3)
                        .toBytes());
    }
}
