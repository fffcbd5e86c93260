package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.ImageCodec;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.Region;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The decoder in Java, against TurboJPEG.
class JpegCodecTest {
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
            try (JpegCodec ours = new JpegCodec();
                    TurboJpegCodec theirs = new TurboJpegCodec()) {
                assertThat(JpegPlanes.of(ours, file, 1, DecodeMode.STRICT)
                                .difference(JpegPlanes.of(theirs, file, 1, DecodeMode.STRICT)))
                        .as("%s x %s", width, height)
                        .isEmpty();
            }
        }
    }

    @Test
    void aPartIsThatOfTheWholePicture() {
        Backends.requireTurboJpeg();
        SplittableRandom random = new SplittableRandom(4);
        for (ChromaSampling sampling : ChromaSampling.values()) {
            byte[] file = file(233, 171, 85, sampling, random);
            byte[] whole = planes(new JpegCodec(), file, Region.whole(233, 171));
            for (int i = 0; i < 30; i++) {
                int left = random.nextInt(233);
                int top = random.nextInt(171);
                Region part = new Region(
                        left, top, left + 1 + random.nextInt(233 - left), top + 1 + random.nextInt(171 - top));
                byte[] samples = planes(new JpegCodec(), file, part);
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
    void filesOfOtherEncodersComeToTheSameAsByTheLibrary(String name) {
        Backends.requireTurboJpeg();
        byte[] file = TestFiles.bytes("jpeg/" + name + ".jpg");
        try (JpegCodec ours = new JpegCodec();
                TurboJpegCodec library = new TurboJpegCodec()) {
            for (int missing : new int[] {0, 1, 2, 3, 50, file.length / 2}) {
                byte[] part = Arrays.copyOf(file, file.length - missing);
                JpegPlanes planes = JpegPlanes.of(ours, part, 1, DecodeMode.STRICT);
                JpegPlanes theirs = JpegPlanes.of(library, part, 1, DecodeMode.STRICT);
                assertThat(planes.isRefused()).isEqualTo(missing > 0);
                assertThat(theirs.isRefused()).isEqualTo(missing > 0);
                assertThat(missing > 0 ? "" : planes.difference(theirs)).isEmpty();
            }
        }
    }

    /// What other programs open: each is refused by name, or opens if damage is kept.
    @Test
    void damageThatDoesNotMatterIsNamedAndKept() {
        byte[] sound = TestFiles.bytes("jpeg/420-121x87.jpg");
        int tables = indexOf(sound, 0xDB);
        int end = sound.length - 2;
        assertKept(insert(sound, tables, 1, 2, 3), "a marker should begin here, but 0x01 is there (at byte " + tables);
        assertKept(Arrays.copyOf(sound, end), "the file ends without an end marker");
        assertKept(insert(Arrays.copyOf(sound, end), end, new int[64]), "left over");
        byte[] withoutJfif = sound.clone();
        withoutJfif[indexOf(sound, 0xE0) + 1] = (byte) 0xE5;
        assertKept(
                insert(withoutJfif, tables, 0xFF, 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 7),
                "Adobe's color transform is 7");
        byte[] shortAdobe = insert(sound, tables, 0xFF, 0xEE, 0, 9, 'A', 'd', 'o', 'b', 'e', 0, 100);
        try (JpegCodec codec = new JpegCodec()) {
            JpegPlanes planes = JpegPlanes.of(codec, shortAdobe, 1, DecodeMode.STRICT);
            assertThat(planes.difference(JpegPlanes.of(codec, sound, 1, DecodeMode.STRICT)))
                    .isEmpty();
        }
    }

    private static void assertKept(byte[] damaged, String reason) {
        byte[] sound = TestFiles.bytes("jpeg/420-121x87.jpg");
        try (JpegCodec codec = new JpegCodec()) {
            JpegPlanes whole = JpegPlanes.of(codec, sound, 1, DecodeMode.STRICT);
            assertThat(JpegPlanes.of(codec, damaged, 1, DecodeMode.STRICT).refusal())
                    .contains(reason);
            assertThat(JpegPlanes.of(codec, damaged, 1, JpegPlanes.KEPT).difference(whole))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"c3, lossless coding", "c5, hierarchical coding", "c9, arithmetic coding", "ca, arithmetic coding"})
    void codingsThatAreNotDecodedAreRefusedByName(String marker, String name) {
        byte[] file = TestFiles.bytes("jpeg/420-121x87.jpg");
        file[indexOf(file, 0xC0) + 1] = (byte) Integer.parseInt(marker, 16);
        try (JpegCodec codec = new JpegCodec()) {
            for (DecodeMode mode : new DecodeMode[] {DecodeMode.STRICT, JpegPlanes.KEPT}) {
                assertThat(JpegPlanes.of(codec, file, 1, mode).refusal()).contains(name + " is not supported");
            }
        }
    }

    /// Motion JPEG leaves out the usual codes.
    @Test
    void theUsualHuffmanCodesMayBeMissing() {
        byte[] file = file(61, 47, 80, ChromaSampling.HALF_BOTH, new SplittableRandom(8));
        byte[] without = file;
        for (int at = indexOf(without, 0xC4); at >= 0; at = indexOf(without, 0xC4)) {
            int length = (without[at + 2] & 0xFF) << 8 | (without[at + 3] & 0xFF);
            byte[] shorter = Arrays.copyOf(without, without.length - 2 - length);
            System.arraycopy(without, at + 2 + length, shorter, at, shorter.length - at);
            without = shorter;
        }
        assertThat(without.length).isLessThan(file.length - 400);
        try (JpegCodec codec = new JpegCodec()) {
            JpegPlanes planes = JpegPlanes.of(codec, without, 1, DecodeMode.STRICT);
            assertThat(planes.difference(JpegPlanes.of(codec, file, 1, DecodeMode.STRICT)))
                    .isEmpty();
        }
    }

    private static byte[] insert(byte[] file, int at, int... bytes) {
        byte[] longer = new byte[file.length + bytes.length];
        System.arraycopy(file, 0, longer, 0, at);
        for (int i = 0; i < bytes.length; i++) {
            longer[at + i] = (byte) bytes[i];
        }
        System.arraycopy(file, at, longer, at + bytes.length, file.length - at);
        return longer;
    }

    private static int indexOf(byte[] file, int marker) {
        for (int i = 0; i + 1 < file.length; i++) {
            if (file[i] == (byte) 0xFF && file[i + 1] == (byte) marker) {
                return i;
            }
        }
        return -1;
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
