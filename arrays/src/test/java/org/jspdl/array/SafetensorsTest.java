package org.jspdl.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
    @TempDir
    Path folder;

    @Test
    void arraysAndMetadataAreRead() throws Exception {
        Programs.python(folder, """
                import json, struct
                header = json.dumps({'__metadata__': {'form\\u00e9t': 'p"t\\n'},
                    'b': {'dtype': 'BF16', 'shape': [2, 2], 'data_offsets': [8, 16]},
                    'a': {'dtype': 'F32', 'shape': [2], 'data_offsets': [0, 8]},
                    'scalar': {'dtype': 'I64', 'shape': [], 'data_offsets': [16, 24]},
                    'none': {'dtype': 'F8_E4M3', 'shape': [0, 3], 'data_offsets': [24, 24]}}).encode()
                header += b' ' * (-len(header) % 8)
                data = struct.pack('<ff4Hq', 1.5, -2, 1, 2, 3, 4, -7)
                open('t.safetensors', 'wb').write(struct.pack('<Q', len(header)) + header + data)
                """);

        try (Safetensors file = Safetensors.open(folder.resolve("t.safetensors"))) {
            assertThat(file.arrays().keySet()).containsExactly("b", "a", "scalar", "none");
            assertThat(file.metadata()).containsExactly(java.util.Map.entry("formét", "p\"t\n"));
            assertThat(file.array("a").type()).isEqualTo(ElementType.FLOAT32);
            assertThat(Bytes.of(file.array("a").segment())).containsExactly(0, 0, 0xC0, 0x3F, 0, 0, 0, 0xC0);
            assertThat(file.array("b").shape()).isEqualTo(Shape.of(2, 2));
            assertThat(file.array("scalar").segment().get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, 0))
                    .isEqualTo(-7);
            assertThat(file.array("none").shape()).isEqualTo(Shape.of(0, 3));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> file.array("c"))
                    .withMessageContaining("[b, a, scalar, none]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"a\":{}}",
                "{\"a\":1}",
                "{'a':{}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}x",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}",
                "{\"a\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.0],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[02],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[8,8]}}"
            })
    void aHeaderThatDoesNotFitEightBytesOfDataIsRefused(String header) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Safetensors.over(file(header)))
                .withMessageStartingWith("safetensors: ");
    }

    @Test
    void aTruncatedFileIsRefusedAndNamed() throws Exception {
        MemorySegment whole = file("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}");
        assertThat(Safetensors.over(whole).array("a").byteSize()).isEqualTo(8);

        for (long cut = 1; cut <= whole.byteSize(); cut++) {
            MemorySegment part = Bytes.without(whole, cut);
            assertThatExceptionOfType(FormatException.class).isThrownBy(() -> Safetensors.over(part));
        }
        Path path = Files.write(folder.resolve("cut"), new byte[3]);
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Safetensors.open(path))
                .withMessageStartingWith(path + ": safetensors: ");
    }

    private static MemorySegment file(String header) {
        byte[] text = header.getBytes(StandardCharsets.UTF_8);
        byte[] length = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(text.length)
                .array();
        return Bytes.joined(MemorySegment.ofArray(length), MemorySegment.ofArray(text), Bytes.random(8, 1));
    }
}
