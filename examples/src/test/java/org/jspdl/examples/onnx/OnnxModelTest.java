package org.jspdl.examples.onnx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.onnx.OnnxException;
import org.jspdl.onnx.file.OnnxFile;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxModelTest {
    private final BufferPool pool = BufferPool.create("tensors", 1 << 20);

    @TempDir
    Path folder;

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"BOOL", "UINT8", "INT8", "INT16", "INT32", "INT64", "FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void elementsOfEveryTypePassUnchanged(ElementType type) throws Exception {
        byte[] elements = new byte[6 * type.byteSize()];
        new Random(7).nextBytes(elements);
        if (type == ElementType.BOOL) {
            elements = new byte[] {1, 0, 0, 1, 1, 0};
        }
        OnnxFile identity = new OnnxFile()
                .input("in", type, "rows", 3)
                .operator("Identity", List.of("in"), "out")
                .output("out", type, "rows", 3);
        try (OnnxModel model = open(identity)) {
            Tensor input = Tensor.allocate(type, Shape.of(2, 3), pool);
            input.segment().copyFrom(MemorySegment.ofArray(elements));
            try (Tensor output = model.infer(input)) {
                assertThat(output.type()).isEqualTo(type);
                assertThat(output.shape()).isEqualTo(Shape.of(2, 3));
                assertThat(output.segment().toArray(JAVA_BYTE)).isEqualTo(elements);
            }
        }
    }

    @Test
    void inputsAndOutputsAreFoundByName() throws Exception {
        OnnxFile file = new OnnxFile()
                .input("left", ElementType.FLOAT32, "n")
                .input("right", ElementType.FLOAT32, "n")
                .operator("Sub", List.of("left", "right"), "difference")
                .operator("Mul", List.of("left", "right"), "product")
                .output("difference", ElementType.FLOAT32, "n")
                .output("product", ElementType.FLOAT32, "n");
        try (OnnxModel model = open(file);
                Tensor left = floats(5, 7);
                Tensor right = floats(2, 3);
                OnnxOutputs outputs = model.run(Map.of("right", right, "left", left));
                OnnxOutputs product = model.run(Map.of("right", right, "left", left), List.of("product"))) {
            assertThat(outputs.namedValues().keySet()).containsExactly("difference", "product");
            assertThat(floats(outputs.tensor("difference"))).containsExactly(3, 4);
            assertThat(floats(outputs.tensor("product"))).containsExactly(10, 21);
            assertThat(product.namedValues().keySet()).containsExactly("product");
            assertThatThrownBy(() -> product.tensor("difference")).hasMessageContaining("[product]");
            assertThat(model.inputs()).hasToString("[left FLOAT32[n], right FLOAT32[n]]");
        }
    }

    @Test
    void outputsOfUnknownExtentsAreCopied() throws Exception {
        OnnxFile file = new OnnxFile()
                .input("x", ElementType.FLOAT32, "n")
                .operator("NonZero", List.of("x"), "places")
                .operator("Neg", List.of("x"), "negative")
                .output("places", ElementType.INT64, 1, "found")
                .output("negative", ElementType.FLOAT32, "n");
        try (OnnxModel model = open(file);
                Tensor x = floats(0, 3, 0, 4);
                OnnxOutputs outputs = model.run(Map.of("x", x))) {
            assertThat(outputs.namedValues().keySet()).containsExactly("places", "negative");
            assertThat(outputs.tensor("places").shape()).isEqualTo(Shape.of(1, 2));
            assertThat(outputs.tensor("places").segment().toArray(JAVA_LONG)).containsExactly(1, 3);
            assertThat(floats(outputs.tensor("negative"))).containsExactly(-0f, -3, -0f, -4);
        }
    }

    @Test
    void aBatchWithoutRowsGivesNone() throws Exception {
        try (OnnxModel model = open(doubling());
                Tensor output = model.infer(Tensor.allocate(ElementType.FLOAT32, Shape.of(0), pool))) {
            assertThat(output.shape()).isEqualTo(Shape.of(0));
        }
    }

    @Test
    void severalThreadsOfAPipelineRunOneModel() throws Exception {
        try (OnnxModel model = open(doubling());
                Run<Tensor> run = Pipeline.from(IntStream.range(0, 200).boxed().toList())
                        .map(number -> floats(number, number + 1))
                        .pipe("double", model::infer, cpu(2).inputOrder())
                        .start()) {
            List<Float> sums = new ArrayList<>();
            for (Tensor output : run) {
                try (output) {
                    sums.add(floats(output)[0] + floats(output)[1]);
                }
            }
            assertThat(sums)
                    .isEqualTo(IntStream.range(0, 200)
                            .mapToObj(number -> 4f * number + 2)
                            .toList());
        }
    }

    @Test
    void tensorsThatTheModelDoesNotTakeAreRefusedWithTheReason() throws Exception {
        OnnxFile file = new OnnxFile()
                .input("images", ElementType.FLOAT32, "batch", 3, 2)
                .input("weights", ElementType.FLOAT32, "batch", 1, 1)
                .operator("Mul", List.of("images", "weights"), "scaled")
                .output("scaled", ElementType.FLOAT32, "batch", 3, 2);
        try (OnnxModel model = open(file);
                Tensor images = zeros(ElementType.FLOAT32, 4, 3, 2);
                Tensor bytes = zeros(ElementType.UINT8, 4, 3, 2);
                Tensor flat = zeros(ElementType.FLOAT32, 4, 6);
                Tensor wide = zeros(ElementType.FLOAT32, 4, 3, 5);
                Tensor weights = zeros(ElementType.FLOAT32, 4, 1, 1);
                Tensor fewer = zeros(ElementType.FLOAT32, 3, 1, 1)) {
            refused(model, Map.of("images", bytes, "weights", weights))
                    .isEqualTo("model.onnx takes images FLOAT32[batch, 3, 2] but was given UINT8[4, 3, 2]: "
                            + "elements are UINT8 but must be FLOAT32");
            refused(model, Map.of("images", flat, "weights", weights)).endsWith("there are 2 dimensions but must be 3");
            refused(model, Map.of("images", wide, "weights", weights)).endsWith("dimension 2 is 5 but must be 2");
            refused(model, Map.of("images", images, "weights", fewer))
                    .endsWith("dimension 0, 'batch', is 3 but 4 in input 'images'");
            refused(model, Map.of("images", images))
                    .isEqualTo("model.onnx also takes weights FLOAT32[batch, 1, 1] but was given only [images]");
            refused(model, Map.of("images", images, "weights", weights, "masks", weights))
                    .startsWith("model.onnx has no input 'masks'; it takes [images FLOAT32[batch, 3, 2], ");
            assertThatThrownBy(() -> model.run(Map.of("images", images, "weights", weights), List.of("scores")))
                    .hasMessage("model.onnx has no output 'scores'; it gives [scaled FLOAT32[batch, 3, 2]]");
        }
    }

    private static org.assertj.core.api.AbstractStringAssert<?> refused(OnnxModel model, Map<String, Tensor> inputs) {
        return assertThatThrownBy(() -> model.run(inputs))
                .isInstanceOf(IllegalArgumentException.class)
                .message();
    }

    @Test
    void whatIsNoTensorOfNumbersIsRefusedByName() throws Exception {
        OnnxFile file = new OnnxFile()
                .input("x", ElementType.FLOAT32, 2)
                .operator("SequenceConstruct", List.of("x", "x"), "list")
                .operator("Neg", List.of("x"), "negative")
                .output("negative", ElementType.FLOAT32, 2)
                .sequenceOutput("list", ElementType.FLOAT32, 2);
        try (OnnxModel model = open(file);
                Tensor x = floats(1, 2)) {
            refused(model, Map.of("x", x)).contains("output 'list' is no tensor of numbers", "SequenceInfo");
            try (OnnxOutputs outputs = model.run(Map.of("x", x), List.of("negative"))) {
                assertThat(floats(outputs.tensor("negative"))).containsExactly(-1, -2);
            }
        }
    }

    @Test
    void aModelThatBreaksItsWordFailsAndLeavesNothing() throws Exception {
        OnnxFile file = new OnnxFile()
                .input("x", ElementType.FLOAT32, "n")
                .operator("Concat", List.of("x", "x"), "y", Map.of("axis", 0L))
                .output("y", ElementType.FLOAT32, "n"); // it will be twice as long
        try (OnnxModel model = open(file);
                Tensor x = floats(1, 2)) {
            assertThatThrownBy(() -> model.run(Map.of("x", x)))
                    .isInstanceOf(OnnxException.class)
                    .hasMessageContaining("model.onnx failed with inputs {x=Tensor[FLOAT32 [2]]}")
                    .hasMessageContaining("shape");
        }
    }

    @Test
    void aFailedInferenceUsesItsInputUp() throws Exception {
        try (OnnxModel model = open(doubling())) {
            Tensor bytes = zeros(ElementType.UINT8, 4);

            assertThatThrownBy(() -> model.infer(bytes)).hasMessageContaining("must be FLOAT32");

            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void missingAndBrokenFilesAreNamed() throws Exception {
        Path broken = Files.write(folder.resolve("broken.onnx"), new byte[] {1, 2, 3, 4});

        assertThatThrownBy(() -> OnnxModel.open(folder.resolve("none.onnx"), 1, pool))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no readable model at " + folder.resolve("none.onnx"));
        assertThatThrownBy(() -> OnnxModel.open(broken, 1, pool))
                .isInstanceOf(OnnxException.class)
                .hasMessageContaining("cannot load " + broken);
    }

    private static OnnxFile doubling() {
        return new OnnxFile()
                .input("x", ElementType.FLOAT32, "n")
                .operator("Add", List.of("x", "x"), "y")
                .output("y", ElementType.FLOAT32, "n");
    }

    private OnnxModel open(OnnxFile file) throws IOException {
        return OnnxModel.open(Files.write(folder.resolve("model.onnx"), file.toBytes()), 1, pool);
    }

    private Tensor floats(float... values) {
        Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(values.length), pool);
        tensor.segment().copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }

    private static float[] floats(Tensor tensor) {
        return tensor.segment().toArray(JAVA_FLOAT);
    }

    private Tensor zeros(ElementType type, long... extents) {
        Tensor tensor = Tensor.allocate(type, Shape.of(extents), pool);
        tensor.segment().fill((byte) 0);
        return tensor;
    }
}
