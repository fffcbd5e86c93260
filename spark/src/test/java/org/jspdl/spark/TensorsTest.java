package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.GenericRowWithSchema;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.junit.jupiter.api.Test;

/// Tensors of rows.
class TensorsTest {
    private static Row tensor(String type, byte[] data, Long... shape) {
        return new GenericRowWithSchema(
                new Object[] {
                    scala.jdk.javaapi.CollectionConverters.asScala(List.of(shape))
                            .toSeq(),
                    type,
                    data
                },
                Tensors.TYPE);
    }

    private static byte[] bytes(int size, java.util.function.Consumer<ByteBuffer> content) {
        ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        content.accept(buffer);
        return buffer.array();
    }

    @Test
    void elementsOfEachTypeAreFloats() {
        assertThat(Tensors.floats(tensor("uint8", new byte[] {0, 127, (byte) 200, -1}, 2L, 2L)))
                .containsExactly(0, 127, 200, 255);
        assertThat(Tensors.floats(tensor("int8", new byte[] {-1}, 1L))).containsExactly(-1);
        assertThat(Tensors.floats(tensor("uint16", bytes(2, all -> all.putShort((short) -1)), 1L)))
                .containsExactly(65535);
        assertThat(Tensors.floats(tensor("uint32", bytes(4, all -> all.putInt(-1)), 1L)))
                .containsExactly((float) 4294967295.0);
        assertThat(Tensors.floats(tensor("uint64", bytes(8, all -> all.putLong(-1)), 1L)))
                .containsExactly((float) 0x1p64);
        assertThat(Tensors.floats(tensor("int64", bytes(8, all -> all.putLong(-7)), 1L)))
                .containsExactly(-7);
        assertThat(Tensors.floats(tensor("float16", bytes(2, all -> all.putShort(Float.floatToFloat16(1.5f))), 1L)))
                .containsExactly(1.5f);
        assertThat(Tensors.floats(tensor(
                        "bfloat16", bytes(2, all -> all.putShort((short) (Float.floatToIntBits(-2f) >> 16))), 1L)))
                .containsExactly(-2f);
        assertThat(Tensors.floats(
                        tensor("float32", bytes(8, all -> all.putFloat(1.25f).putFloat(-3)), 2L)))
                .containsExactly(1.25f, -3);
        assertThat(Tensors.floats(tensor("float64", bytes(8, all -> all.putDouble(0.1)))))
                .containsExactly(0.1f);
    }

    @Test
    void aTensorBecomesAnNpyFileAndComesBack() {
        Row tensor = tensor("float32", bytes(24, all -> all.putFloat(1.25f).putFloat(20, 7)), 2L, 3L);

        byte[] file = Tensors.npy(tensor);
        ArrayView view = Npy.view(MemorySegment.ofArray(file));
        Row back = Tensors.ofNpy(file);

        assertThat(view.shape().extents()).containsExactly(2, 3);
        assertThat(back.<long[]>getAs(0)).containsExactly(2, 3);
        assertThat(back.getString(1)).isEqualTo("float32");
        assertThat(back.<byte[]>getAs(2)).isEqualTo(tensor.<byte[]>getAs(2));
    }

    @Test
    void dataOfAnotherSizeThanTheShapeSaysAreRefused() {
        assertThatThrownBy(() -> Tensors.view(tensor("float32", new byte[7], 2L)))
                .hasMessageContaining("has 8 bytes, but the data are 7");
        assertThatThrownBy(() -> Tensors.view(tensor("float", new byte[8], 2L)))
                .hasMessage("there is no type of elements 'float'");
        assertThatThrownBy(() -> Tensors.floats(tensor("complex64", new byte[8], 1L)))
                .hasMessageContaining("complex64 are no floats");
    }
}
