package org.jspdl.wav;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.array.ArrayView;
import org.jspdl.fixtures.Bytes;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against files that FFmpeg's command line wrote and read, and Python's `wave`.
class WavTest {
    @TempDir
    Path folder;

    private record Kind(String codec, int channels, ElementType type) {
        String file(String container) {
            return codec + "-" + channels + "-" + container + ".wav";
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("pcm_u8", 1, ElementType.UINT8),
            new Kind("pcm_s16le", 1, ElementType.INT16),
            new Kind("pcm_s16le", 2, ElementType.INT16),
            new Kind("pcm_s24le", 2, ElementType.INT32),
            new Kind("pcm_s24le", 6, ElementType.INT32),
            new Kind("pcm_s32le", 3, ElementType.INT32),
            new Kind("pcm_f32le", 1, ElementType.FLOAT32),
            new Kind("pcm_f32le", 2, ElementType.FLOAT32),
            new Kind("pcm_f32le", 6, ElementType.FLOAT32),
            new Kind("pcm_f64le", 2, ElementType.FLOAT64));

    /// RIFF and RF64, as FFmpeg's option names them.
    private static final List<String> CONTAINERS = List.of("never", "always");

    @Test
    void samplesAreThoseThatFfmpegDecodes() throws Exception {
        List<String> encode = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        List<String> decode = new ArrayList<>(encode);
        List<String> outputs = new ArrayList<>();
        int inputs = 0;
        for (Kind kind : KINDS) {
            encode.addAll(List.of("-f", "lavfi", "-i", "aevalsrc=" + expressions(kind.channels()) + ":s=22050:d=0.31"));
        }
        for (Kind kind : KINDS) {
            for (String container : CONTAINERS) {
                encode.addAll(List.of("-map", KINDS.indexOf(kind) + ":a", "-c:a", kind.codec()));
                encode.addAll(List.of("-rf64", container, kind.file(container)));
                decode.addAll(List.of("-i", kind.file(container)));
                outputs.addAll(List.of("-map", inputs++ + ":a", "-f", "f32le", "-c:a", "pcm_f32le"));
                outputs.add(kind.file(container) + ".raw");
            }
        }
        decode.addAll(outputs);
        Programs.output(folder, encode);
        Programs.output(folder, decode);

        for (Kind kind : KINDS) {
            for (String container : CONTAINERS) {
                Path path = folder.resolve(kind.file(container));
                Wav wav = Wav.parse(MemorySegment.ofArray(Files.readAllBytes(path)));

                assertThat(wav.format().elementType()).isEqualTo(kind.type());
                assertThat(wav.format().channels()).isEqualTo(kind.channels());
                assertThat(wav.format().sampleRateHz()).isEqualTo(22050);
                assertThat(wav.frames()).isEqualTo(6836);
                assertThat(wav.duration()).isEqualTo(Duration.ofNanos(6836 * 1_000_000_000L / 22050));
                byte[] expected = Files.readAllBytes(folder.resolve(kind.file(container) + ".raw"));
                assertThat(floats(wav, SampleLayout.INTERLEAVED))
                        .as(path.toString())
                        .isEqualTo(expected);
                assertThat(floats(wav, SampleLayout.PLANAR)).isEqualTo(planar(expected, kind.channels()));
                if (wav.format().isElement()) {
                    assertThat(wav.samples().shape()).isEqualTo(Shape.of(6836, kind.channels()));
                }
            }
        }
    }

    private static String expressions(int channels) {
        return String.join(
                "|",
                List.of("0.9*sin(t*700)", "0.5*cos(t*900)", "t", "-t", "0.1", "-1")
                        .subList(0, channels));
    }

    private static byte[] floats(Wav wav, SampleLayout layout) {
        try (BufferPool pool = BufferPool.create("wav", 1 << 24);
                Tensor tensor = wav.toFloat(pool, layout)) {
            return Bytes.of(tensor.segment());
        }
    }

    private static byte[] planar(byte[] interleaved, int channels) {
        ByteBuffer from = ByteBuffer.wrap(interleaved);
        ByteBuffer to = ByteBuffer.allocate(interleaved.length);
        int frames = interleaved.length / 4 / channels;
        for (int c = 0; c < channels; c++) {
            for (int f = 0; f < frames; f++) {
                to.putInt(from.getInt(4 * (f * channels + c)));
            }
        }
        return to.array();
    }

    @Test
    void whatFfmpegWritesToAPipeGoesToTheEnd() throws Exception {
        Requires.program("ffmpeg");
        Programs.output(
                folder, List.of("sh", "-c", "ffmpeg -v error -f lavfi -i sine=d=0.25:r=8000 -f wav - > pipe.wav"));

        Wav wav = Wav.parse(MemorySegment.ofArray(Files.readAllBytes(folder.resolve("pipe.wav"))));

        assertThat(wav.frames()).isEqualTo(2000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void integersOfEveryWidthAreThoseThatPythonWrote(int width) throws Exception {
        Programs.python(folder, """
                import sys, wave
                width = int(sys.argv[1])
                values = [0, 1, 127, 128, 255, 2 ** (8 * width - 1), 2 ** (8 * width) - 1]
                with wave.open('t.wav', 'wb') as w:
                    w.setnchannels(1); w.setsampwidth(width); w.setframerate(16000)
                    w.writeframes(b''.join(v.to_bytes(width, 'little') for v in values))
                """, String.valueOf(width));
        Wav wav = Wav.parse(MemorySegment.ofArray(Files.readAllBytes(folder.resolve("t.wav"))));
        MemorySegment ints = MemorySegment.ofArray(new int[7]);

        wav.toInt(ints);

        long[] raw = {0, 1, 127, 128, 255, 1L << (8 * width - 1), (1L << (8 * width)) - 1};
        for (int i = 0; i < 7; i++) {
            long expected = width == 1 ? (raw[i] - 128) << 24 : (int) (raw[i] << (32 - 8 * width));
            assertThat(ints.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo((int) expected);
        }
    }

    @Test
    void windowsAreHalfOpenAndExact() throws IOException {
        Wav wav = ramp(44_100, 44_100);

        assertThat(wav.window(Duration.ZERO, Duration.ofSeconds(9)).frames()).isEqualTo(44_100);
        assertThat(wav.window(Duration.ofMillis(500), Duration.ofMillis(250)).frames())
                .isEqualTo(11_025);
        assertThat(first(wav.window(Duration.ofMillis(500), Duration.ofMillis(250))))
                .isEqualTo(22_050);
        // Frame 1 is at 22,675.736... ns: the first nanosecond before it takes it, the next one does not.
        assertThat(first(wav.window(Duration.ofNanos(22_675), Duration.ofSeconds(1))))
                .isEqualTo(1);
        assertThat(first(wav.window(Duration.ofNanos(22_676), Duration.ofSeconds(1))))
                .isEqualTo(2);
        assertThat(wav.window(Duration.ofSeconds(1), Duration.ofSeconds(1)).frames())
                .isZero();
        assertThat(wav.window(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE / 4))
                        .frames())
                .isEqualTo(44_100);
        List<Duration> wrong = List.of(Duration.ofMillis(-1), Duration.ofSeconds(1, 1_000_000));
        for (Duration from : wrong) {
            assertThatIllegalArgumentException().isThrownBy(() -> wav.window(from, Duration.ofSeconds(1)));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> wav.window(Duration.ZERO, Duration.ofNanos(-1)));
    }

    private static int first(Wav wav) {
        return wav.samples().segment().get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    }

    /// Frame n holds n.
    private Wav ramp(int frames, int rate) throws IOException {
        int[] samples = new int[frames];
        java.util.Arrays.setAll(samples, i -> i);
        Path path = folder.resolve("ramp.wav");
        WavWriter.write(
                path, ArrayView.of(ElementType.INT32, Shape.of(frames, 1), MemorySegment.ofArray(samples)), rate);
        return Wav.parse(MemorySegment.ofArray(Files.readAllBytes(path)));
    }

    @ParameterizedTest
    @CsvSource({
        "INTEGER, 8, 1",
        "INTEGER, 16, 2",
        "INTEGER, 24, 1",
        "INTEGER, 24, 6",
        "INTEGER, 32, 2",
        "FLOAT, 32, 2",
        "FLOAT, 64, 1"
    })
    void whatIsWrittenIsReadByFfmpeg(WavFormat.Encoding encoding, int bits, int channels) throws Exception {
        WavFormat format = encoding == WavFormat.Encoding.INTEGER
                ? WavFormat.integer(bits, channels, 11_025)
                : WavFormat.floating(bits, channels, 11_025);
        int frames = 20_001;
        MemorySegment samples = MemorySegment.ofArray(
                new byte[frames * channels * format.elementType().byteSize()]);
        for (int i = 0; i < frames * channels; i++) {
            switch (format.elementType()) {
                case UINT8 -> samples.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
                case INT16 -> samples.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i, (short) (i * 771));
                case INT32 -> samples.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * i, i * 7_700_771 & 0xFFFFFF00);
                case FLOAT32 -> samples.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i, (float) Math.sin(i));
                default -> samples.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i, Math.sin(i));
            }
        }
        for (long largest : new long[] {Long.MAX_VALUE, 1000}) {
            Path path = folder.resolve("w.wav");
            try (WavWriter writer = WavWriter.create(path, format, largest)) {
                long half = frames / 2 * (long) channels * format.elementType().byteSize();
                writer.write(ArrayView.of(format.elementType(), Shape.of(frames / 2, channels), samples));
                writer.write(ArrayView.of(
                        format.elementType(), Shape.of(frames - frames / 2, channels), samples.asSlice(half)));
            }
            Programs.output(
                    folder,
                    List.of(
                            "ffmpeg",
                            "-v",
                            "error",
                            "-y",
                            "-i",
                            "w.wav",
                            "-f",
                            "f32le",
                            "-c:a",
                            "pcm_f32le",
                            "expected.raw"));

            Wav wav = Wav.parse(MemorySegment.ofArray(Files.readAllBytes(path)));

            assertThat(wav.format()).isEqualTo(format);
            assertThat(wav.frames()).isEqualTo(frames);
            assertThat(floats(wav, SampleLayout.INTERLEAVED))
                    .isEqualTo(Files.readAllBytes(folder.resolve("expected.raw")));
        }
        if (encoding == WavFormat.Encoding.INTEGER && channels <= 2) {
            try (WavWriter writer = WavWriter.create(folder.resolve("w.wav"), format)) {
                writer.write(ArrayView.of(format.elementType(), Shape.of(frames, channels), samples));
            }
            assertThat(Programs.python(folder, "import wave; w = wave.open('w.wav'); print(*w.getparams()[:4])"))
                    .isEqualTo(channels + " " + bits / 8 + " 11025 20001\n");
        }
    }

    @Test
    void samplesOfAnotherTypeOrShapeAreNotWritten() throws IOException {
        try (WavWriter writer = WavWriter.create(folder.resolve("w.wav"), WavFormat.integer(16, 2, 8000))) {
            for (ArrayView wrong : List.of(
                    ArrayView.of(ElementType.INT32, Shape.of(2, 2), Bytes.random(16, 1)),
                    ArrayView.of(ElementType.INT16, Shape.of(4), Bytes.random(8, 1)),
                    ArrayView.of(
                            ElementType.INT16,
                            Shape.of(2, 2),
                            Bytes.random(8, 1),
                            ByteOrder.BIG_ENDIAN,
                            org.jspdl.array.MemoryOrder.ROW_MAJOR))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> writer.write(wrong))
                        .withMessageContaining("samples must be INT16 [frames, 2]");
            }
        }
    }
}
