package org.jspdl.data.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CollationTest {
    private final BufferPool pool = BufferPool.create("collation", 1 << 20);

    public record Sample(Tensor image, int[] tokens, long label, String name) {}

    @AfterEach
    void nothingIsLeftBehind() {
        pool.close();
    }

    @Test
    void fieldsBecomeTensorsWithARowForEachSample() {
        Collation<Sample> collation = Collation.<Sample>in(pool)
                .stack("image", Sample::image)
                .pad("tokens", Sample::tokens, -1)
                .stack("label", Sample::label)
                .list("name", Sample::name);
        List<Sample> samples =
                List.of(new Sample(image(1), new int[] {1, 2, 3}, 7, "a"), new Sample(image(2), new int[] {4}, 8, "b"));

        try (TensorBatch batch = collation.apply(samples)) {
            assertThat(batch.size()).isEqualTo(2);
            assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(2, 2, 2));
            assertThat(batch.tensor("image").segment().toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
            assertThat(batch.tensor("tokens").segment().toArray(ValueLayout.JAVA_INT))
                    .containsExactly(1, 2, 3, 4, -1, -1);
            assertThat(batch.lengths("tokens")).containsExactly(3, 1);
            assertThat(batch.tensor("label").segment().toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(7, 8);
            assertThat(batch.values("name")).isEqualTo(List.of("a", "b"));
            assertThat(pool.outstanding()).as("the images were closed").isEqualTo(3);
        }
    }

    @Test
    void aRecordIsCollatedByItsComponents() {
        try (TensorBatch batch =
                Collation.ofRecord(Sample.class, pool).apply(List.of(new Sample(image(1), new int[] {1, 2}, 7, "a")))) {
            assertThat(batch).hasToString("batch of 1, image UINT8[1, 2, 2], tokens INT32[1, 2], label INT64[1]");
            assertThat(batch.values("name")).isEqualTo(List.of("a"));
        }
    }

    @Test
    void everyDimensionIsFilledUpAndTheOutermostToAMultiple() {
        Collation<Tensor> collation = Collation.<Tensor>in(pool).pad("x", tensor -> tensor, 9, 4);
        try (TensorBatch batch = collation.apply(List.of(numbered(2, 1), numbered(1, 3), numbered(3, 2)))) {
            assertThat(batch.tensor("x").shape()).isEqualTo(Shape.of(3, 4, 3));
            assertThat(batch.tensor("x").segment().toArray(ValueLayout.JAVA_BYTE))
                    .containsExactly(
                            1, 9, 9, 2, 9, 9, 9, 9, 9, 9, 9, 9, //
                            1, 2, 3, 9, 9, 9, 9, 9, 9, 9, 9, 9, //
                            1, 2, 9, 3, 4, 9, 5, 6, 9, 9, 9, 9);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"INT8", "UINT8", "INT16", "UINT16", "INT32", "INT64", "FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void paddingIsWrittenInTheTypeOfTheField(ElementType type) {
        Tensor one = Tensor.allocate(type, Shape.of(1), pool);
        new Padding(2, 1).fill(one.segment(), type);
        Tensor none = Tensor.allocate(type, Shape.of(0), pool);
        Collation<Tensor> collation = Collation.<Tensor>in(pool).pad("x", tensor -> tensor, 2);
        byte[] expected = one.segment().toArray(ValueLayout.JAVA_BYTE);
        try (TensorBatch batch = collation.apply(List.of(one, none))) {
            assertThat(batch.tensor("x").row(0).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(batch.tensor("x").row(1).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThat(two(type, batch.tensor("x"))).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "UINT8, -100", "UINT8, 256", "UINT8, 0.5", "INT8, 128", "UINT16, 65536", "INT16, 40000", "UINT32, -1",
        "INT32, 1e10", "INT64, 1e19", "INT64, NaN", "UINT64, -1", "BOOL, 2", "FLOAT16, 70000", "FLOAT32, 1e39"
    })
    void paddingThatElementsCannotBeIsRefusedByName(ElementType type, double padding) {
        Collation<Tensor> collation = Collation.<Tensor>in(pool).pad("mask", tensor -> tensor, padding);
        try (Tensor one = Tensor.allocate(type, Shape.of(1), pool)) {
            assertThatThrownBy(() -> collation.apply(List.of(one)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'mask'")
                    .hasMessageContaining(type + ", which has no " + padding);
        }
        assertThat(pool.outstanding()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "UINT8, 255", "INT8, -128", "UINT16, 65535", "INT16, -32768", "UINT32, 4294967295",
                "INT64, -9.223372036854775808e18",
        "BOOL, 1", "FLOAT16, 65504", "FLOAT16, -Infinity", "FLOAT32, NaN", "BFLOAT16, 1e38", "FLOAT64, 1e300"
    })
    void paddingThatElementsCanBeIsTaken(ElementType type, double padding) {
        Collation<Tensor> collation = Collation.<Tensor>in(pool).pad("mask", tensor -> tensor, padding, 2);
        try (Tensor one = Tensor.allocate(type, Shape.of(1), pool);
                TensorBatch batch = collation.apply(List.of(one))) {
            assertThat(batch.tensor("mask").shape()).isEqualTo(Shape.of(1, 2));
        }
    }

    private static double two(ElementType type, Tensor tensor) {
        return switch (type) {
            case INT8, UINT8 -> tensor.segment().get(ValueLayout.JAVA_BYTE, 0);
            case INT16, UINT16 -> tensor.segment().get(ValueLayout.JAVA_SHORT, 0);
            case INT32 -> tensor.segment().get(ValueLayout.JAVA_INT, 0);
            case INT64 -> tensor.segment().get(ValueLayout.JAVA_LONG, 0);
            case FLOAT16 -> Float.float16ToFloat(tensor.segment().get(ValueLayout.JAVA_SHORT, 0));
            case BFLOAT16 -> Float.intBitsToFloat(tensor.segment().get(ValueLayout.JAVA_SHORT, 0) << 16);
            case FLOAT32 -> tensor.segment().get(ValueLayout.JAVA_FLOAT, 0);
            default -> tensor.segment().get(ValueLayout.JAVA_DOUBLE, 0);
        };
    }

    @Test
    void whatDoesNotFitIsNamedAndNothingLeaks() {
        Collation<Sample> collation = Collation.<Sample>in(pool)
                .stack("label", Sample::label)
                .stack("image", Sample::image)
                .stack("tokens", Sample::tokens);
        List<Sample> uneven =
                List.of(new Sample(image(1), new int[2], 0, "a"), new Sample(image(1), new int[3], 0, "b"));

        assertThatThrownBy(() -> collation.apply(uneven))
                .hasMessageContaining("'tokens'")
                .hasMessageContaining("INT32[2]")
                .hasMessageContaining("sample 1 is INT32[3]")
                .hasMessageContaining("pad(..)");
        assertThat(pool.outstanding()).isZero();
        assertThatThrownBy(() -> Collation.<String>in(pool).stack("s", s -> s).apply(List.of("x")))
                .hasMessageContaining("java.lang.String");
        assertThatThrownBy(() -> Collation.<Object>in(pool).pad("s", s -> s, 0).apply(List.of(new int[1], new long[1])))
                .hasMessageContaining("INT64");
        assertThatThrownBy(() -> collation.list("label", Sample::name)).hasMessageContaining("'label'");
        assertThatThrownBy(() -> collation.apply(List.of())).hasMessageContaining("no samples");
    }

    @Test
    void listedValuesBelongToTheBatch() {
        Collation<Sample> collation = Collation.<Sample>in(pool).list("image", Sample::image);
        TensorBatch batch = collation.apply(List.of(sample(1), sample(2)));
        batch.view().close();
        assertThat(pool.outstanding()).isEqualTo(2);

        batch.close();
        batch.close();

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void aFailureClosesValuesThatWereNotReadYet() {
        Collation<Sample> collation = Collation.<Sample>in(pool)
                .stack("label", sample -> {
                    throw new IllegalStateException("no label");
                })
                .stack("image", Sample::image)
                .list("again", Sample::image);

        assertThatThrownBy(() -> collation.apply(List.of(sample(1), sample(2)))).hasMessage("no label");

        assertThat(pool.outstanding()).isZero();
    }

    @Test
    void aSampleThatCannotBeClosedKeepsNothingElseOpen() {
        record Owning(Tensor image, boolean broken) implements AutoCloseable {
            @Override
            public void close() {
                image.close();
                if (broken) {
                    throw new IllegalStateException("stuck");
                }
            }
        }
        Collation<Owning> collation = Collation.<Owning>in(pool).stack("broken", sample -> 1);

        assertThatThrownBy(() -> collation.apply(List.of(new Owning(image(1), true), new Owning(image(2), false))))
                .hasMessage("stuck");

        assertThat(pool.outstanding()).isZero();
    }

    private Sample sample(int value) {
        return new Sample(image(value), new int[0], value, "a");
    }

    private Tensor image(int value) {
        Tensor image = Tensor.allocate(ElementType.UINT8, Shape.of(2, 2), pool);
        image.segment().fill((byte) value);
        return image;
    }

    private Tensor numbered(int rows, int columns) {
        Tensor tensor = Tensor.allocate(ElementType.UINT8, Shape.of(rows, columns), pool);
        IntStream.range(0, rows * columns).forEach(i -> tensor.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1)));
        return tensor;
    }
}
