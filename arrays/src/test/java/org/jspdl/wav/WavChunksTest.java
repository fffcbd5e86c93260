package org.jspdl.wav;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files put together chunk by chunk, as writers of all kinds do.
class WavChunksTest {
    private static final MemorySegment STEREO_16 = format(1, 2, 8000, 4, 16);
    private static final MemorySegment SAMPLES = chunk("data", Bytes.random(12, 1));

    private static MemorySegment chunk(String id, MemorySegment content) {
        byte[] head = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(id.getBytes(StandardCharsets.US_ASCII))
                .putInt((int) content.byteSize())
                .array();
        return Bytes.joined(
                MemorySegment.ofArray(head), content, MemorySegment.ofArray(new byte[(int) (content.byteSize() & 1)]));
    }

    private static MemorySegment format(int encoding, int channels, int rate, int frameBytes, int bits) {
        return chunk(
                "fmt ",
                MemorySegment.ofArray(ByteBuffer.allocate(16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putShort((short) encoding)
                        .putShort((short) channels)
                        .putInt(rate)
                        .putInt(rate * frameBytes)
                        .putShort((short) frameBytes)
                        .putShort((short) bits)
                        .array()));
    }

    private static MemorySegment extensible(int encoding, int bits, int validBits, int sampleBytes) {
        MemorySegment rest = MemorySegment.ofArray(ByteBuffer.allocate(24)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 22)
                .putShort((short) validBits)
                .putInt(3)
                .putShort((short) encoding)
                .put(java.util.HexFormat.of().parseHex("000000001000800000AA00389B71"))
                .array());
        MemorySegment basic = format(0xFFFE, 2, 8000, 2 * sampleBytes, bits);
        return chunk("fmt ", Bytes.joined(basic.asSlice(8), rest));
    }

    private static MemorySegment file(MemorySegment... chunks) {
        MemorySegment all = Bytes.joined(chunks);
        return Bytes.joined(chunk(
                "RIFF", Bytes.joined(MemorySegment.ofArray("WAVE".getBytes(StandardCharsets.US_ASCII)), all)));
    }

    @Test
    void chunksOfOddSizesArePassedWithTheirPadding() {
        Wav wav = Wav.parse(file(
                chunk("LIST", Bytes.random(3, 1)),
                STEREO_16,
                chunk("LIST", Bytes.random(7, 2)),
                SAMPLES,
                chunk("id3 ", Bytes.random(5, 3))));

        assertThat(wav.frames()).isEqualTo(3);
        assertThat(wav.bytes().mismatch(Bytes.random(12, 1))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 32, 32, 4, FLOAT32, 32",
        "1, 16, 16, 2, INT16, 16",
        "1, 24, 20, 3, INT32, 20",
        "1, 32, 24, 4, INT32, 24",
        "1, 16, 0, 2, INT16, 16"
    })
    void anExtensibleFormatIsWhatItsIdentifierSays(
            int encoding, int bits, int validBits, int sampleBytes, org.jspdl.memory.ElementType type, int found) {
        Wav wav = Wav.parse(file(extensible(encoding, bits, validBits, sampleBytes), SAMPLES));

        assertThat(wav.format().elementType()).isEqualTo(type);
        assertThat(wav.format().bits()).isEqualTo(found);
        assertThat(wav.format().channelMask()).isEqualTo(3);
    }

    @Test
    void anIncompleteLastFrameIsDropped() {
        assertThat(Wav.parse(file(STEREO_16, chunk("data", Bytes.random(11, 1))))
                        .frames())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1, 8000, 36, 4, ADPCM",
        "6, 1, 8000, 1, 8, A-law",
        "7, 1, 8000, 1, 8, mu-law",
        "3, 1, 8000, 2, 16, not supported",
        "1, 1, 8000, 8, 64, not supported",
        "1, 0, 8000, 0, 16, contradictory",
        "1, 2, 8000, 3, 16, contradictory",
        "1, 1, 0, 2, 16, contradictory",
        "1, 1, 8000, 2, 0, contradictory"
    })
    void whatIsNotSupportedIsRefusedByName(
            int encoding, int channels, int rate, int frameBytes, int bits, String reason) {
        assertRefused(file(format(encoding, channels, rate, frameBytes, bits), SAMPLES), reason);
    }

    @Test
    void truncatedAndIncompleteFilesAreRefused() {
        MemorySegment whole = file(STEREO_16, SAMPLES);

        assertRefused(Bytes.without(whole, 1), "the samples take 12 bytes, 11 are there (at byte 44)");
        assertRefused(whole.asSlice(0, 30), "the chunk takes 16 bytes, 10 are there (at byte 12)");
        assertRefused(file(STEREO_16), "no samples");
        assertRefused(file(), "no format and no samples");
        assertRefused(file(SAMPLES, STEREO_16), "before their format");
        assertRefused(file(chunk("fmt ", Bytes.random(10, 1)), SAMPLES), "at least 16");
        assertRefused(MemorySegment.NULL, "does not begin");
        assertRefused(Bytes.random(100, 9), "does not begin");
    }

    private static void assertRefused(MemorySegment file, String reason) {
        assertThatExceptionOfType(FormatException.class)
                .isThrownBy(() -> Wav.parse(file))
                .withMessageStartingWith("WAV: ")
                .withMessageContaining(reason);
    }
}
