package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageInfo;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept of a damaged picture is its own, whatever was decoded before it.
class KeptDamageTest {
    private static final int FILES = Boolean.getBoolean("campaign") ? 1_500 : 40;
    private static final byte[] BLACK = flat(0);
    private static final byte[] WHITE = flat(255);
    private static final ImageSpec KEPT = ImageSpec.original().damage(Damage.KEPT);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jpeg/420-121x87.jpg",
                "jpeg/422-121x87.jpg",
                "jpeg/444-121x87.jpg",
                "jpeg/411-121x87.jpg",
                "jpeg/gray-97x131.jpg",
                "jpeg/cmyk-90x70.jpg",
                "jpeg/restart-121x87.jpg",
                "jpeg/420-progressive-160x120.jpg",
                "png/rgb-61x47.png",
                "png/palette-61x47.png",
                "webp/lossy-61x47.webp",
                "webp/lossless-61x47.webp",
                "gif/61x47.gif",
                "bmp/61x47.bmp",
                "tiff/lzw-61x47.tiff",
                "avif/420.avif",
                "heic/grid.heic"
            })
    void whatIsKeptDoesNotDependOnThePictureBefore(String name) {
        byte[] sound = TestFiles.bytes(name);
        boolean jpeg = name.startsWith("jpeg");
        SplittableRandom random = new SplittableRandom(name.hashCode());
        int kept = 0;
        for (JpegBackend backend : jpeg ? JpegBackend.values() : new JpegBackend[] {JpegBackend.BEST}) {
            for (int i = 0; i < FILES; i++) {
                byte[] damaged = damage(sound, random);
                Optional<byte[]> afterBlack = decode(damaged, backend, BLACK);
                Optional<byte[]> afterWhite = decode(damaged, backend, WHITE);
                assertThat(afterWhite.isPresent()).isEqualTo(afterBlack.isPresent());
                if (afterBlack.isPresent()) {
                    kept++;
                    assertThat(afterBlack.orElseThrow())
                            .as("%s, %s, file %d", name, backend, i)
                            .isEqualTo(afterWhite.orElseThrow());
                }
            }
        }
        if (jpeg) {
            assertThat(kept).as("files that were kept").isGreaterThan(FILES / 4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMissingRowsOfATruncatedFileAreGray(JpegBackend backend) {
        for (String name : List.of("jpeg/420-121x87.jpg", "jpeg/444-121x87.jpg", "jpeg/cmyk-90x70.jpg")) {
            byte[] file = TestFiles.bytes(name);
            byte[] kept = decode(Arrays.copyOf(file, file.length * 6 / 10), backend, BLACK)
                    .orElseThrow();
            // libjpeg gives a half of all four inks to what is missing
            int gray = name.contains("cmyk") ? 64 : 128;
            for (int c = 1; c <= 3; c++) {
                assertThat(kept[kept.length - c] & 0xFF)
                        .as("%s by %s", name, backend)
                        .isBetween(gray - 2, gray + 2);
            }
        }
    }

    /// A warning in the header (bytes that are no marker) and then a fatal error: no quantization table.
    @Test
    void aFatalErrorAfterAWarningIsNotTakenForAPicture() {
        byte[] sound = TestFiles.bytes("jpeg/444-121x87.jpg");
        ByteArrayOutputStream damaged = new ByteArrayOutputStream();
        for (int at = 0; at < sound.length; ) {
            boolean tables = at + 4 < sound.length && sound[at] == (byte) 0xFF && sound[at + 1] == (byte) 0xDB;
            if (tables) {
                damaged.write(0x11);
                at += 2 + (((sound[at + 2] & 0xFF) << 8) | (sound[at + 3] & 0xFF));
            } else {
                damaged.write(sound[at++]);
            }
        }
        for (JpegBackend backend : List.of(JpegBackend.BEST, JpegBackend.TURBOJPEG)) {
            assertThat(decode(damaged.toByteArray(), backend, WHITE))
                    .as(backend.toString())
                    .isEmpty();
        }
    }

    private static byte[] damage(byte[] sound, SplittableRandom random) {
        byte[] bytes = sound.clone();
        int header = random.nextInt(4) == 0 ? 2 : Math.min(sound.length / 3, 640);
        if (random.nextInt(3) > 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(header, bytes.length));
        }
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(Math.min(header, bytes.length - 1), bytes.length);
            bytes[at] = random.nextInt(3) == 0 ? (byte) 0xFF : (byte) random.nextInt(256);
            if (at + 1 < bytes.length && random.nextInt(3) == 0) {
                bytes[at + 1] = (byte) random.nextInt(0xC0, 0x100);
            }
        }
        return bytes;
    }

    /// Decodes a file after another one by the same decoder; empty if it is refused.
    private static Optional<byte[]> decode(byte[] file, JpegBackend backend, byte[] before) {
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(KEPT, backend)) {
            decoder.decodeInto(TestFiles.toNative(before, arena), row(before, arena));
            MemorySegment row = row(file, arena);
            decoder.decodeInto(TestFiles.toNative(file, arena), row);
            return Optional.of(row.toArray(ValueLayout.JAVA_BYTE));
        } catch (DecodeException refused) {
            return Optional.empty();
        }
    }

    private static MemorySegment row(byte[] file, Arena arena) {
        ImageInfo info = ImageDecoder.probe(TestFiles.toNative(file, arena));
        long pixels = (long) info.width() * info.height();
        if (pixels > 1_000_000) {
            throw DecodeException.because("too large for this test");
        }
        return arena.allocate(3 * pixels).fill((byte) 0x5A);
    }

    private static byte[] flat(int value) {
        byte[] pixels = new byte[256 * 256 * 3];
        Arrays.fill(pixels, (byte) value);
        return ImageEncoderTest.encode(
                ImageEncoder.jpeg(95, ChromaSampling.FULL), pixels, Shape.of(256, 256, 3), ElementType.UINT8);
    }
}
