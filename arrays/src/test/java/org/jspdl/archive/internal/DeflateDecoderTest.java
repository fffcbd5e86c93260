package org.jspdl.archive.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;
import java.util.zip.Deflater;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.junit.jupiter.api.Test;

/// Both ways of decompressing, whatever the machine has.
class DeflateDecoderTest {
    private static MemorySegment deflated(MemorySegment content, Arena arena) {
        try (Deflater deflater = new Deflater(6, true)) {
            deflater.setInput(Bytes.of(content));
            deflater.finish();
            byte[] out = new byte[(int) content.byteSize() + 1000];
            return arena.allocateFrom(
                            java.lang.foreign.ValueLayout.JAVA_BYTE,
                            java.util.Arrays.copyOf(out, deflater.deflate(out)))
                    .asReadOnly();
        }
    }

    @Test
    void bothWaysGiveTheSameAndRefuseTheSame() {
        MemorySegment content = Bytes.joined(Bytes.random(5000, 1), MemorySegment.ofArray(new byte[5000]));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment deflated = deflated(content, arena);
            for (BiConsumer<MemorySegment, MemorySegment> way :
                    java.util.List.<BiConsumer<MemorySegment, MemorySegment>>of(
                            DeflateDecoder::inflate, DeflateDecoder::withJdk)) {
                MemorySegment target = arena.allocate(10_000);
                way.accept(deflated, target);
                assertThat(target.mismatch(content)).isEqualTo(-1);
                assertRefused(() -> way.accept(deflated, arena.allocate(9_999)));
                assertRefused(() -> way.accept(deflated, arena.allocate(10_001)));
                assertRefused(() -> way.accept(Bytes.without(deflated, 1), arena.allocate(10_000)));
                assertRefused(() -> way.accept(MemorySegment.NULL, arena.allocate(1)));
                assertRefused(() -> way.accept(Bytes.random(500, 3), arena.allocate(10_000)));
            }
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(call)
                .withMessageContaining("the deflated data is corrupt");
    }
}
