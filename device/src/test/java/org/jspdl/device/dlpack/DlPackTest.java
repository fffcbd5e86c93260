package org.jspdl.device.dlpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DlPackTest {
    private final BufferPool pool = BufferPool.create("dlpack", 1 << 20);

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(DlPack.exported()).isZero();
        pool.close();
    }

    @Test
    void theStructHasTheLayoutOfTheHeader() {
        Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(2, 3, 4), pool);
        MemorySegment managed = DlPack.export(tensor);

        assertThat(managed.byteSize()).isEqualTo(64);
        assertThat(managed.get(ValueLayout.JAVA_LONG, 0))
                .isEqualTo(tensor.segment().address());
        assertThat(managed.get(ValueLayout.JAVA_INT, 8)).isEqualTo(1);
        assertThat(managed.get(ValueLayout.JAVA_INT, 12)).isZero();
        assertThat(managed.get(ValueLayout.JAVA_INT, 16)).isEqualTo(3);
        assertThat(managed.get(ValueLayout.JAVA_INT, 20)).isEqualTo(1 << 16 | 32 << 8 | 2);
        assertThat(longs(managed, 24)).containsExactly(2, 3, 4);
        assertThat(longs(managed, 32)).containsExactly(12, 4, 1);
        assertThat(managed.get(ValueLayout.JAVA_LONG, 40)).isZero();

        Exports.delete(managed);
        assertThat(pool.outstanding()).isZero();
    }

    @SuppressWarnings("restricted")
    private static long[] longs(MemorySegment managed, long field) {
        return managed.get(ValueLayout.ADDRESS, field).reinterpret(24).toArray(ValueLayout.JAVA_LONG);
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeComesBackOverTheSameMemory(ElementType type) {
        Tensor ours = Tensor.allocate(type, Shape.of(3, 5), pool);
        try (Tensor taken = DlPack.take(DlPack.export(ours))) {
            assertThat(taken.type()).isEqualTo(type);
            assertThat(taken.shape()).isEqualTo(Shape.of(3, 5));

            ours.segment().set(ValueLayout.JAVA_BYTE, 14, (byte) 42);
            assertThat(taken.segment().get(ValueLayout.JAVA_BYTE, 14)).isEqualTo((byte) 42);
            taken.segment().set(ValueLayout.JAVA_BYTE, 3, (byte) 43);
            assertThat(ours.segment().get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 43);
        }
        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void scalarsAndEmptyTensorsTravelToo() {
        for (Shape shape : new Shape[] {Shape.of(), Shape.of(0, 7)}) {
            try (Tensor taken = DlPack.take(DlPack.export(Tensor.allocate(ElementType.INT64, shape, pool)))) {
                assertThat(taken.shape()).isEqualTo(shape);
            }
        }
    }

    @Test
    void whatCannotBeTakenIsNamedAndStaysWithItsOwner() {
        assertRefused(8, 2, "lies on a device of type 2");
        assertRefused(16, -1, "has -1 dimensions");
        assertRefused(16, 65, "has 65 dimensions");
        assertRefused(20, 4 << 16 | 32 << 8 | 2, "vectors of 4 lanes");
        assertRefused(20, 1 << 16 | 128 << 8, "type code 0 with 128 bits");
        assertThatThrownBy(() -> DlPack.take(MemorySegment.NULL)).hasMessageContaining("is NULL");
    }

    @Test
    @SuppressWarnings("restricted")
    void aTransposedTensorIsRefused() {
        MemorySegment managed = DlPack.export(Tensor.allocate(ElementType.INT8, Shape.of(2, 3), pool));
        MemorySegment strides = managed.get(ValueLayout.ADDRESS, 32).reinterpret(16);
        strides.setAtIndex(ValueLayout.JAVA_LONG, 0, 1);
        strides.setAtIndex(ValueLayout.JAVA_LONG, 1, 2);

        assertThatThrownBy(() -> DlPack.take(managed)).hasMessageContaining("ascontiguousarray");
        Exports.delete(managed);
    }

    private void assertRefused(long offset, int value, String reason) {
        MemorySegment managed = DlPack.export(Tensor.allocate(ElementType.FLOAT32, Shape.of(2), pool));
        managed.set(ValueLayout.JAVA_INT, offset, value);
        assertThatThrownBy(() -> DlPack.take(managed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        assertThat(pool.outstanding()).isEqualTo(1);
        Exports.delete(managed);
    }
}
