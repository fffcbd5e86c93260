package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.media.video.CodedUnits.Unit;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Decoders add film grain to pictures that describe it. What is missing of such a picture is found all the same, and
/// the grain is the same whatever is decoded before.
class FilmGrainTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int GRAIN = 19;

    @TempDir
    Path folder;

    /// A unit with the characteristics of strong grain of luminance, of which none of the bytes needs an escape.
    private static byte[] grain(CodedUnits codec) {
        Bits bits = new Bits();
        bits.put(0, 1); // not cancelled
        bits.put(0, 2); // by frequencies
        bits.put(0, 1); // colors are the stream's
        bits.put(0, 2); // added
        bits.put(2, 4); // the logarithm of the scale
        bits.put(0b100, 3); // luminance alone
        bits.put(0, 8); // one interval of intensities
        bits.put(2, 3); // three values
        bits.put(1, 8);
        bits.put(254, 8);
        bits.putSigned(60);
        bits.putSigned(8);
        bits.putSigned(8);
        bits.put(1, 1); // HEVC: goes on; H.264: an Exp-Golomb code of 0, this picture alone
        bits.end();
        byte[] payload = bits.bytes();
        byte[] header = codec == CodedUnits.HEVC ? new byte[] {39 << 1, 1} : new byte[] {6};
        byte[] unit = new byte[3 + header.length + 2 + payload.length + 1];
        unit[2] = 1;
        System.arraycopy(header, 0, unit, 3, header.length);
        int at = 3 + header.length;
        unit[at] = GRAIN;
        unit[at + 1] = (byte) payload.length;
        System.arraycopy(payload, 0, unit, at + 2, payload.length);
        unit[unit.length - 1] = (byte) 0x80;
        return unit;
    }

    private byte[] copied(Path from, String options, String name) throws IOException {
        Path made = folder.resolve(name);
        Programs.run("ffmpeg -v error -y " + options + " -i " + from + " -c copy " + made);
        return Files.readAllBytes(made);
    }

    private static VideoSpec spec(int threads, DecodeOptions.Damage damage) {
        return VideoSpec.original()
                .decoding(DecodeOptions.standard().threads(threads).damage(damage));
    }

    private static Tensor load(byte[] file, int threads, DecodeOptions.Damage damage) {
        return Video.load(MediaSource.of(file), spec(threads, damage));
    }

    @ParameterizedTest
    @CsvSource({"flat-hevc.mp4, HEVC, 1", "flat-hevc.mp4, HEVC, 3", "flat-h264.mp4, H264, 1", "flat-h264.mp4, H264, 3"})
    void aPictureWithGrainThatLacksASliceIsRefused(String name, CodedUnits codec, int threads) throws Exception {
        String bare = codec == CodedUnits.HEVC ? "bare.hevc" : "bare.h264";
        byte[] plain = copied(TestMedia.file(name), "", bare);
        byte[] stream = codec.withBeforePictures(plain, grain(codec));
        Path file = Files.write(folder.resolve("grain-" + bare), stream);
        Map<String, byte[]> wholes = new TreeMap<>(Map.of("bare", stream));
        wholes.put("mp4", copied(file, "-r 24", "grain.mp4"));
        List<Unit> slices = codec.slices(stream);
        assertThat(slices).hasSizeGreaterThan(100);
        Map<String, String> wrong = new TreeMap<>();
        for (Map.Entry<String, byte[]> whole : wholes.entrySet()) {
            try (Tensor without = load(plain, threads, DecodeOptions.Damage.REFUSED);
                    Tensor strict = load(whole.getValue(), threads, DecodeOptions.Damage.REFUSED);
                    Tensor lenient = load(whole.getValue(), threads, DecodeOptions.Damage.SKIPPED)) {
                assertThat(strict.shape()).hasToString(without.shape().toString());
                assertThat(strict.segment().mismatch(lenient.segment())).isEqualTo(-1);
                for (int frame = 0; frame < strict.shape().extent(0); frame++) {
                    assertThat(strict.row(frame).mismatch(without.row(frame)))
                            .as("grain of frame %d", frame)
                            .isNotNegative();
                }
                for (int i = 0; i < slices.size(); i += CAMPAIGN ? 1 : (slices.size() / 9) | 1) {
                    byte[] lacking = whole.getKey().equals("bare")
                            ? CodedUnits.without(stream, slices.get(i))
                            : codec.replaced(whole.getValue(), stream, slices.get(i));
                    try (Tensor shown = load(lacking, threads, DecodeOptions.Damage.REFUSED)) {
                        wrong.put(whole.getKey() + ", slice " + i, shown.shape().toString());
                    } catch (MediaException refused) {
                        assertThat(refused).hasMessageContaining("Damage.SKIPPED");
                    }
                }
            }
        }
        assertThat(wrong)
                .as("what came of %d slices without one", slices.size())
                .isEmpty();
    }

    /// A picture of a sequence whose grain begins, and ends, between others.
    @Test
    void onlySomePicturesHaveGrain() throws Exception {
        byte[] plain = copied(TestMedia.file("flat-hevc.mp4"), "", "bare.hevc");
        byte[] grained = CodedUnits.HEVC.withBeforePictures(plain, grain(CodedUnits.HEVC));
        List<Unit> slices = CodedUnits.HEVC.slices(plain);
        List<Unit> grainedSlices = CodedUnits.HEVC.slices(grained);
        // The first half without, the second half with grain, which begins before a first slice.
        int half = slices.size() / 4 * 2;
        int begin = slices.get(half).begin();
        int grainedBegin = grainedSlices.get(half).begin() - grain(CodedUnits.HEVC).length;
        byte[] mixed = new byte[begin + grained.length - grainedBegin];
        System.arraycopy(plain, 0, mixed, 0, begin);
        System.arraycopy(grained, grainedBegin, mixed, begin, grained.length - grainedBegin);
        List<Unit> all = CodedUnits.HEVC.slices(mixed);
        assertThat(all).hasSameSizeAs(slices);
        try (Tensor strict = load(mixed, 1, DecodeOptions.Damage.REFUSED)) {
            assertThat(strict.shape().extent(0)).isEqualTo(72);
        }
        Map<Integer, String> wrong = new TreeMap<>();
        for (int i = 0; i < all.size(); i += CAMPAIGN ? 1 : 5) {
            try (Tensor shown = load(CodedUnits.without(mixed, all.get(i)), 1, DecodeOptions.Damage.REFUSED)) {
                wrong.put(i, shown.shape().toString());
            } catch (MediaException refused) {
                assertThat(refused).hasMessageContaining("Damage.SKIPPED");
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = "grain-av1.mp4")
    void aWindowHasTheGrainOfTheWhole(String name) throws Exception {
        Path file = TestMedia.file(name);
        try (Tensor whole = Video.load(file)) {
            assertThat(whole.shape().extent(0)).isEqualTo(72);
            for (int first = 1; first < 72; first += CAMPAIGN ? 1 : 7) {
                TimeWindow window = TimeWindow.from(Rational.of(first, 24));
                try (Tensor part = Video.load(file, VideoSpec.original().window(window))) {
                    assertThat(part.shape().extent(0)).isEqualTo(72 - first);
                    for (int row = 0; row < 72 - first; row++) {
                        assertThat(part.row(row).mismatch(whole.row(first + row)))
                                .as("frame %d from %d on", first + row, first)
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    /// Bits of a header, the highest of a byte first.
    private static final class Bits {
        private final StringBuilder text = new StringBuilder();

        void put(int value, int count) {
            for (int bit = count - 1; bit >= 0; bit--) {
                text.append(value >> bit & 1);
            }
        }

        /// An Exp-Golomb code.
        void putSigned(int value) {
            int code = (value > 0 ? 2 * value - 1 : -2 * value) + 1;
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(code);
            put(0, bits - 1);
            put(code, bits);
        }

        void end() {
            if (text.length() % Byte.SIZE != 0) {
                text.append('1');
            }
            while (text.length() % Byte.SIZE != 0) {
                text.append('0');
            }
        }

        byte[] bytes() {
            byte[] bytes = new byte[text.length() / Byte.SIZE];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) Integer.parseInt(text.substring(i * Byte.SIZE, (i + 1) * Byte.SIZE), 2);
            }
            return bytes;
        }
    }
}
