package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.BaselineJpegCodec;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.ImageCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.codec.Warmup;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The decoder in Java, against TurboJPEG.
class BaselineJpegCodecTest {
    @BeforeAll
    static void endTheWarmup() {
        Warmup.OF_PROCESS.end();
    }

    /// Sizes around those of blocks and units, every sampling, coarse and fine quantization: the same samples to
    /// the bit.
    @ParameterizedTest
    @EnumSource(ChromaSampling.class)
    void planesAreThoseOfTurboJpeg(ChromaSampling sampling) {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 60; i++) {
            int width = 1 + random.nextInt(i < 30 ? 40 : 300);
            int height = 1 + random.nextInt(i < 30 ? 40 : 300);
            byte[] file = file(width, height, 1 + random.nextInt(100), sampling, random);
            byte[] ours = planes(
                    new BaselineJpegCodec(BaselineJpegCodecTest::none, Warmup.none()),
                    file,
                    Region.whole(width, height));
            byte[] theirs = planes(new TurboJpegCodec(true), file, Region.whole(width, height));
            assertThat(Arrays.mismatch(ours, theirs))
                    .as("%s x %s", width, height)
                    .isEqualTo(-1);
        }
    }

    @Test
    void aPartIsThatOfTheWholePicture() {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(4);
        for (ChromaSampling sampling : ChromaSampling.values()) {
            byte[] file = file(233, 171, 85, sampling, random);
            byte[] whole = planes(
                    new BaselineJpegCodec(BaselineJpegCodecTest::none, Warmup.none()), file, Region.whole(233, 171));
            for (int i = 0; i < 30; i++) {
                int left = random.nextInt(233);
                int top = random.nextInt(171);
                Region part = new Region(
                        left, top, left + 1 + random.nextInt(233 - left), top + 1 + random.nextInt(171 - top));
                byte[] samples = planes(new BaselineJpegCodec(BaselineJpegCodecTest::none, Warmup.none()), file, part);
                for (int y = part.top(); y < part.bottom(); y++) {
                    int from = y * 233 + part.left();
                    int to = y * 233 + part.right();
                    assertThat(Arrays.mismatch(samples, from, to, whole, from, to))
                            .as("row %s of %s", y, part)
                            .isEqualTo(-1);
                }
            }
        }
    }

    /// Progressive, CMYK, with restarts, damaged: what this decoder declines, the library decodes or refuses.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "420-121x87",
                "411-121x87",
                "420-progressive-160x120",
                "gray-97x131",
                "cmyk-90x70",
                "orientation-6"
            })
    void everyFileComesToTheSameAsByTheLibraryAlone(String name) {
        Backends.requireTurboJpeg();
        byte[] file = TestFiles.bytes("jpeg/" + name + ".jpg");
        for (int missing : new int[] {0, 1, 2, 3, 50, file.length / 2}) {
            byte[] part = Arrays.copyOf(file, file.length - missing);
            assertThat(outcome(part, JpegBackend.BEST))
                    .as("%s bytes missing", missing)
                    .isEqualTo(outcome(part, JpegBackend.TURBOJPEG));
        }
    }

    /// Files with bytes changed: whatever the decoder in Java takes, TurboJPEG decodes too, without a complaint.
    /// Few have other samples, since TurboJPEG computes with 16 bits, which is enough for coefficients that an
    /// encoder makes.
    @Test
    void noDamageIsTakenForSoundData() {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(Long.getLong("jspdl.campaign.seed", 5));
        int taken = 0;
        int others = 0;
        int files = Boolean.getBoolean("campaign") ? 300_000 : 20_000;
        byte[][] originals = new byte[40][];
        for (int i = 0; i < originals.length; i++) {
            ChromaSampling sampling = ChromaSampling.values()[i % ChromaSampling.values().length];
            originals[i] =
                    file(1 + random.nextInt(70), 1 + random.nextInt(70), 30 + random.nextInt(70), sampling, random);
        }
        try (ImageDecoder best = ImageDecoder.create(ImageSpec.exact(24, 24));
                ImageDecoder library = ImageDecoder.create(ImageSpec.exact(24, 24), JpegBackend.TURBOJPEG)) {
            for (int i = 0; i < files; i++) {
                byte[] file = originals[random.nextInt(originals.length)].clone();
                for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                    file[2 + random.nextInt(file.length - 2)] = (byte) random.nextInt(256);
                }
                Object ours = outcome(file, best);
                Object theirs = outcome(file, library);
                if (ours instanceof ByteBuffer && theirs instanceof ByteBuffer) {
                    taken++;
                    others += ours.equals(theirs) ? 0 : 1;
                } else {
                    assertThat(ours).as("file %s", i).isEqualTo(theirs);
                }
            }
        }
        System.out.printf("%,d mutated JPEG files: %,d decoded, %,d of them otherwise%n", files, taken, others);
        assertThat(taken).isGreaterThan(files / 10);
        assertThat(others).isLessThan(taken / 20);
    }

    private static ImageCodec none() {
        throw new IllegalStateException("declined");
    }

    /// The pixels, or what was said of the file.
    private static Object outcome(byte[] file, JpegBackend backend) {
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(24, 24), backend)) {
            return outcome(file, decoder);
        }
    }

    private static Object outcome(byte[] file, ImageDecoder decoder) {
        byte[] row = new byte[24 * 24 * 3];
        try {
            decoder.decodeInto(MemorySegment.ofArray(file), MemorySegment.ofArray(row));
            return ByteBuffer.wrap(row);
        } catch (DecodeException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static byte[] file(int width, int height, int quality, ChromaSampling sampling, SplittableRandom random) {
        byte[] rgb = new byte[width * height * 3];
        int noise = 1 + random.nextInt(100);
        double period = 2 + random.nextInt(20);
        for (int i = 0; i < rgb.length; i++) {
            int x = i / 3 % width;
            int y = i / 3 / width;
            rgb[i] = (byte) Math.clamp(
                    (long) (128 + 120 * Math.sin(x / period + i % 3) * Math.cos(y / 5.0) + random.nextInt(noise)),
                    0,
                    255);
        }
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(quality, sampling), rgb, Shape.of(height, width, 3), ElementType.UINT8);
    }

    /// The planes, one after the other.
    private static byte[] planes(ImageCodec codec, byte[] file, Region part) {
        try (Arena arena = Arena.ofConfined();
                codec) {
            MemorySegment bytes = TestFiles.toNative(file, arena);
            ImageHeader header = new ImageHeader();
            ImageHeaders.read(bytes, header);
            Picture picture = new Picture();
            codec.decode(bytes, header, 1, part, DecodeMode.STRICT, picture);
            ByteArrayOutputStream planes = new ByteArrayOutputStream();
            for (int p = 0; p < picture.model().planes(); p++) {
                Picture.Plane plane = picture.plane(p);
                byte[] samples = new byte[plane.width() * plane.height()];
                for (int y = 0; y < plane.height(); y++) {
                    MemorySegment.copy(
                            plane.memory(),
                            ValueLayout.JAVA_BYTE,
                            plane.row(y),
                            samples,
                            y * plane.width(),
                            plane.width());
                }
                planes.writeBytes(samples);
            }
            return planes.toByteArray();
        }
    }
}
