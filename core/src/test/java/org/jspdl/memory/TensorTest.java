package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class TensorTest {

    @Test
    void aTensorOwnsItsLease() {
        try (BufferPool pool = BufferPool.create("p", 10_000)) {
            Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(2, 3), pool);
            assertThat(tensor.segment().byteSize()).isEqualTo(24);
            tensor.close();
            tensor.close();

            assertThat(pool.outstanding()).isZero();
            assertThatThrownBy(tensor::segment).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> tensor.row(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void rowsAreViewsOfTheSameMemory() {
        try (BufferPool pool = BufferPool.create("p", 10_000);
                Tensor tensor = Tensor.allocate(ElementType.INT32, Shape.of(3, 2), pool)) {
            tensor.row(1).setAtIndex(ValueLayout.JAVA_INT, 0, 42);

            assertThat(tensor.segment().getAtIndex(ValueLayout.JAVA_INT, 2)).isEqualTo(42);
            assertThat(tensor.row(2).byteSize()).isEqualTo(8);
            assertThatThrownBy(() -> tensor.row(3))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("3");
            assertThatThrownBy(() -> tensor.row(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void emptyAndScalarShapesWork() {
        try (BufferPool pool = BufferPool.create("p", 10_000);
                Tensor empty = Tensor.allocate(ElementType.UINT8, Shape.of(0, 5), pool);
                Tensor scalar = Tensor.allocate(ElementType.FLOAT64, Shape.of(), pool)) {
            assertThat(empty.segment().byteSize()).isZero();
            assertThat(scalar.segment().byteSize()).isEqualTo(8);
            assertThatThrownBy(() -> empty.row(0)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> scalar.row(0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void aLeaseThatIsTooSmallIsRefusedWithTheNumbers() {
        try (BufferPool pool = BufferPool.create("p", 10_000);
                Lease lease = pool.lease(23)) {
            assertThatThrownBy(() -> Tensor.over(ElementType.FLOAT32, Shape.of(2, 3), lease))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("24")
                    .hasMessageContaining("23");
        }
    }

    @Test
    void shapesThatCannotExistAreRefusedBeforeMemoryIsAskedFor() {
        assertThatThrownBy(() -> Shape.of(2, -1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> Shape.of(1L << 40, 1L << 40)).hasMessageContaining("too many elements");
        assertThatThrownBy(() -> Tensor.byteSize(ElementType.INT64, Shape.of(1L << 61)))
                .isInstanceOf(ArithmeticException.class);
        assertThat(Shape.of(0, 1L << 40).elements()).isZero();
    }

    @Test
    void shapesAreEqualByValueAndGainAndLoseADimension() {
        Shape image = Shape.of(3, 4);
        assertThat(image.batched(2)).isEqualTo(Shape.of(2, 3, 4)).hasSameHashCodeAs(Shape.of(2, 3, 4));
        assertThat(image.batched(2).row()).isEqualTo(image);
        assertThat(image).isNotEqualTo(Shape.of(4, 3)).hasToString("[3, 4]");
        assertThatThrownBy(() -> Shape.of().row()).isInstanceOf(IllegalStateException.class);
        long[] extents = {1, 2};
        Shape shape = Shape.of(extents);
        extents[0] = 9;
        shape.extents()[1] = 9;
        assertThat(shape).isEqualTo(Shape.of(1, 2));
    }

    @Test
    void aTensorShowsNothingOfALargerLease() {
        try (BufferPool pool = BufferPool.create("test", 1 << 20);
                Tensor tensor = Tensor.over(ElementType.INT16, Shape.of(3), pool.lease(100))) {
            assertThat(tensor.segment().byteSize()).isEqualTo(6);
        }
    }
}
