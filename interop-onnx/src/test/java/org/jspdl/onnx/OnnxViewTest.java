package org.jspdl.onnx;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.onnx.file.OnnxFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxViewTest {
    private static final byte[] TWICE = new OnnxFile()
            .input("x", ElementType.FLOAT32, 4)
            .operator("Add", List.of("x", "x"), "y")
            .output("y", ElementType.FLOAT32, 4)
            .toBytes();

    @Test
    void whatIsWrittenAfterwardsIsWhatTheRuntimeReads() throws Exception {
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20);
                Tensor tensor = floats(pool, 1, 2, 3, 4);
                OnnxView view = OnnxView.of(tensor)) {
            tensor.segment().setAtIndex(JAVA_FLOAT, 2, 30);

            assertThat(view.onnx().getFloatBuffer().get(2)).isEqualTo(30);
            assertThat(view.onnx().ownsBuffer()).isFalse(); // no copy of its own
        }
    }

    @Test
    void whatTheRuntimeWritesIsInTheTensor() throws Exception {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20);
                OrtSession session = environment.createSession(TWICE);
                OnnxView x = OnnxView.own(floats(pool, 1, 2, 3, 4));
                OnnxView y = OnnxView.own(floats(pool, 0, 0, 0, 0));
                OrtSession.Result result = session.run(Map.of("x", x.onnx()), Set.of(), Map.of("y", y.onnx()))) {
            assertThat(result.isResultOwner(0)).isFalse();
            assertThat(y.tensor().segment().toArray(JAVA_FLOAT)).containsExactly(2, 4, 6, 8);
        }
    }

    @Test
    void aResultThatTheRuntimeAllocatedIsCopiedIntoThePool() throws Exception {
        OrtEnvironment environment = OrtEnvironment.getEnvironment();
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20);
                OrtSession session = environment.createSession(TWICE);
                OnnxView x = OnnxView.own(floats(pool, 1, 2, 3, 4));
                OrtSession.Result result = session.run(Map.of("x", x.onnx()));
                Tensor copy = OnnxView.copyOf((OnnxTensor) result.get(0), pool)) {
            assertThat(copy.type()).isEqualTo(ElementType.FLOAT32);
            assertThat(copy.shape()).isEqualTo(Shape.of(4));
            assertThat(copy.segment().toArray(JAVA_FLOAT)).containsExactly(2, 4, 6, 8);
        }
    }

    @Test
    void aViewThatOwnsItsTensorGivesTheMemoryBack() {
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20)) {
            OnnxView view = OnnxView.own(floats(pool, 1, 2, 3, 4));
            assertThat(pool.outstanding()).isOne();

            view.close();
            view.close();

            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void aLentTensorStaysOpen() {
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20);
                Tensor tensor = floats(pool, 1, 2, 3, 4)) {
            OnnxTensor onnx;
            try (OnnxView view = OnnxView.of(tensor)) {
                onnx = view.onnx();
            }

            assertThat(onnx.isClosed()).isTrue();
            assertThat(tensor.segment().getAtIndex(JAVA_FLOAT, 3)).isEqualTo(4);
        }
    }

    @Test
    void aClosedTensorHasNoView() {
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20)) {
            Tensor tensor = floats(pool, 1);
            tensor.close();

            assertThatThrownBy(() -> OnnxView.own(tensor)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"UINT16", "UINT32", "UINT64", "FLOAT8_E4M3", "FLOAT8_E5M2", "COMPLEX64", "COMPLEX128"})
    void typesThatTheJavaApiLacksAreRefused(ElementType type) {
        try (BufferPool pool = BufferPool.create("tensors", 1 << 20);
                Tensor tensor = Tensor.allocate(type, Shape.of(3), pool)) {
            assertThatThrownBy(() -> OnnxView.of(tensor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no tensors of " + type);
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void tensorsOfTwoGibibytesAreRefused() {
        MemorySegment nobodyReads = MemorySegment.ofAddress(4096).reinterpret(1L << 31);
        try (Tensor tensor = Tensor.over(ElementType.UINT8, Shape.of(1L << 31), Lease.adopt(nobodyReads, () -> {}))) {
            assertThatThrownBy(() -> OnnxView.of(tensor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2147483648 bytes")
                    .hasMessageContaining("smaller batches");
        }
    }

    @Test
    void tensorsOnTheHeapAreRefused() {
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);
        try (Tensor tensor = Tensor.over(ElementType.UINT8, Shape.of(8), Lease.adopt(heap, () -> {}))) {
            assertThatThrownBy(() -> OnnxView.of(tensor))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("on the Java heap");
        }
    }

    static Tensor floats(BufferPool pool, float... values) {
        Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(values.length), pool);
        tensor.segment().copyFrom(MemorySegment.ofArray(values));
        return tensor;
    }
}
