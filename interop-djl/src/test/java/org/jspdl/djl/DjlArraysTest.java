package org.jspdl.djl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.lang.foreign.MemorySegment;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DjlArraysTest {
    private final BufferPool pool = BufferPool.create("tensors", 1 << 20);
    private final NDManager manager = NDManager.newBaseManager("PyTorch");

    @AfterEach
    void everythingIsGivenBack() {
        manager.close();
        assertThat(pool.outstanding()).isZero();
        pool.close();
    }

    @Test
    void whatTheTensorGetsTheArrayHasAndTheOtherWay() {
        try (Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(2, 2), pool);
                NDArray array = DjlArrays.view(tensor, manager)) {
            tensor.segment().copyFrom(MemorySegment.ofArray(new float[] {1, 2, 3, 4}));
            assertThat(array.toFloatArray()).containsExactly(1, 2, 3, 4);

            array.muli(10); // in place, by PyTorch

            assertThat(tensor.segment().toArray(JAVA_FLOAT)).containsExactly(10, 20, 30, 40);
        }
    }

    @Test
    void aTakenTensorSharesTheMemoryOfTheArrayAndEndsIt() {
        NDArray array = manager.arange(4f);
        try (Tensor tensor = DjlArrays.take(array)) {
            assertThat(tensor.type()).isEqualTo(ElementType.FLOAT32);
            assertThat(tensor.shape()).isEqualTo(Shape.of(4));
            tensor.segment().setAtIndex(JAVA_FLOAT, 1, 100);
            assertThat(array.toFloatArray()).containsExactly(0, 100, 2, 3);

            array.addi(1);

            assertThat(tensor.segment().toArray(JAVA_FLOAT)).containsExactly(1, 101, 3, 4);
        }
        assertThat(array.isReleased()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"BOOL", "UINT8", "INT8", "INT32", "INT64", "FLOAT16", "FLOAT32", "FLOAT64"})
    void everyTypeGoesThereAndBackInTheSameMemory(ElementType type) {
        try (Tensor tensor = Tensor.allocate(type, Shape.of(2, 3), pool)) {
            tensor.segment().fill((byte) 1);
            NDArray array = DjlArrays.view(tensor, manager);
            try (Tensor back = DjlArrays.take(array)) {
                assertThat(back.type()).isEqualTo(type);
                assertThat(back.shape()).isEqualTo(Shape.of(2, 3));
                assertThat(back.segment().address()).isEqualTo(tensor.segment().address());
                assertThat(back.segment().toArray(JAVA_BYTE)).containsOnly(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BOOL", "UINT8", "INT8", "INT32", "INT64", "FLOAT16", "FLOAT32", "FLOAT64"})
    void typesThatWouldEndTheProcessAreRefused(ElementType type) {
        try (Tensor tensor = Tensor.allocate(type, Shape.of(3), pool)) {
            assertThatThrownBy(() -> DjlArrays.view(tensor, manager))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no tensors of " + type);
        }
    }

    @Test
    void arraysThatDoNotLieRowByRowAreLaidOut() {
        NDArray transposed = manager.arange(6f).reshape(2, 3).transpose();
        try (Tensor tensor = DjlArrays.take(transposed)) {
            assertThat(tensor.shape()).isEqualTo(Shape.of(3, 2));
            assertThat(tensor.segment().toArray(JAVA_FLOAT)).containsExactly(0, 3, 1, 4, 2, 5);
        }
    }

    @Test
    void emptyTensorsAndScalarsAreArraysToo() {
        try (Tensor none = Tensor.allocate(ElementType.FLOAT32, Shape.of(0, 3), pool);
                Tensor one = Tensor.allocate(ElementType.FLOAT32, Shape.of(), pool)) {
            one.segment().set(JAVA_FLOAT, 0, 5);

            assertThat(DjlArrays.view(none, manager).getShape()).isEqualTo(new ai.djl.ndarray.types.Shape(0, 3));
            assertThat(DjlArrays.view(one, manager).getFloat()).isEqualTo(5);
        }
    }

    @Test
    void whatCannotBeSharedIsRefused() {
        MemorySegment heap = MemorySegment.ofArray(new byte[8]);
        try (Tensor tensor = Tensor.over(ElementType.UINT8, Shape.of(8), Lease.adopt(heap, () -> {}));
                NDArray texts = manager.create(new String[] {"a"})) {
            assertThatThrownBy(() -> DjlArrays.view(tensor, manager)).hasMessageContaining("on the Java heap");
            assertThat(texts.getDataType()).isEqualTo(DataType.STRING);
            assertThatThrownBy(() -> DjlArrays.take(texts)).hasMessageContaining("string");
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void tensorsOfTwoGibibytesAreRefused() {
        MemorySegment nobodyReads = MemorySegment.ofAddress(4096).reinterpret(1L << 31);
        try (Tensor tensor = Tensor.over(ElementType.UINT8, Shape.of(1L << 31), Lease.adopt(nobodyReads, () -> {}))) {
            assertThatThrownBy(() -> DjlArrays.view(tensor, manager)).hasMessageContaining("2147483648 bytes");
        }
    }
}
