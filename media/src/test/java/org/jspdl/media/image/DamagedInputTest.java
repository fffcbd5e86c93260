package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedInputTest {
    @Test
    void anEmptyFileIsRefused() {
        assertRefused(new byte[0], "empty");
    }

    @Test
    void textIsRefusedWithItsFirstBytes() {
        assertRefused("hello, world".getBytes(StandardCharsets.US_ASCII), "68 65 6c 6c 6f");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jpeg/420-121x87.jpg",
                "png/rgb-61x47.png",
                "webp/lossy-61x47.webp",
                "webp/lossless-61x47.webp",
                "bmp/61x47.bmp",
                "gif/61x47.gif",
                "tiff/lzw-61x47.tiff"
            })
    void everyTruncationIsRefused(String file) {
        byte[] whole = TestFiles.bytes(file);
        for (int length : new int[] {1, 8, 20, whole.length / 4, whole.length / 2, whole.length * 3 / 4}) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(part, JpegBackend.BEST))
                    .as("%s cut after %d of %d bytes", file, length, whole.length)
                    .isInstanceOf(DecodeException.class);
        }
    }

    /// TurboJPEG 2.1.5 goes on in the middle of a header in which it failed.
    @ParameterizedTest
    @EnumSource
    void aDamagedHeaderDoesNoHarmToTheFilesAfterIt(JpegBackend backend) {
        Backends.require(backend);
        byte[] sound = TestFiles.bytes("jpeg/420-121x87.jpg");
        byte[] damaged = sound.clone();
        damaged[indexOf(sound, (byte) 0xFF, (byte) 0xDB) + 4] = 0x40;
        ImageSpec spec = ImageSpec.exact(24, 24);
        byte[] row = new byte[24 * 24 * 3];
        try (ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
            assertThatThrownBy(() -> decoder.decodeInto(MemorySegment.ofArray(damaged), MemorySegment.ofArray(row)))
                    .isInstanceOf(DecodeException.class);
            decoder.decodeInto(MemorySegment.ofArray(sound), MemorySegment.ofArray(row));
        }
        assertThat(row).isEqualTo(JpegDecodingTest.decode(sound, spec, backend));
    }

    @ParameterizedTest
    @EnumSource(names = {"BEST", "TURBOJPEG"})
    void aFileWithoutTablesIsNotDecodedWithThoseOfAnother(JpegBackend backend) {
        Backends.requireTurboJpeg();
        byte[] sound = TestFiles.bytes("jpeg/420-121x87.jpg");
        byte[] without = sound.clone();
        without[indexOf(sound, (byte) 0xFF, (byte) 0xDB) + 1] = (byte) 0xFE;
        ImageSpec spec = ImageSpec.exact(24, 24);
        byte[] row = new byte[24 * 24 * 3];
        try (ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
            decoder.decodeInto(MemorySegment.ofArray(sound), MemorySegment.ofArray(row));
            assertThatThrownBy(() -> decoder.decodeInto(MemorySegment.ofArray(without), MemorySegment.ofArray(row)))
                    .isInstanceOf(DecodeException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void aHugeSizeIsRefusedBeforeAnythingIsDecoded(JpegBackend backend) {
        Backends.require(backend);
        byte[] jpeg = TestFiles.bytes("jpeg/420-121x87.jpg");
        int frame = indexOf(jpeg, (byte) 0xFF, (byte) 0xC0);
        for (int i = 5; i < 9; i++) {
            jpeg[frame + i] = (byte) 0xFF;
        }

        assertThatThrownBy(() -> decode(jpeg, backend))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("65535 x 65535")
                .hasMessageContaining("4,294,836,225")
                .hasMessageContaining("limit of 100,000,000");
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void aJpegOfTwelveBitsIsRefused(JpegBackend backend) {
        Backends.require(backend);
        byte[] jpeg = TestFiles.bytes("jpeg/420-121x87.jpg");
        jpeg[indexOf(jpeg, (byte) 0xFF, (byte) 0xC0) + 4] = 12;

        assertThatThrownBy(() ->
                        JpegDecodingTest.decode(jpeg, ImageSpec.exact(32, 32).elements(ElementType.UINT16), backend))
                .isInstanceOf(DecodeException.class);
    }

    @Test
    void anErrorInAHeaderSaysAtWhichByte() {
        byte[] jpeg = TestFiles.bytes("jpeg/420-121x87.jpg");
        int tables = indexOf(jpeg, (byte) 0xFF, (byte) 0xDB);
        jpeg[tables] = 0x12;
        assertRefused(jpeg, String.format("a marker should begin here, but 0x12 is there (at byte %,d)", tables));

        byte[] avif = Arrays.copyOf(TestFiles.bytes("avif/420.avif"), 100);
        assertRefused(avif, "AVIF: the box has ");
    }

    /// As wide as TurboJPEG writes, and reduced from there to a thumbnail.
    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void aPictureMayBeSixtyFiveThousandPixelsWide(JpegBackend backend) {
        Backends.require(backend);
        int width = 65_500;
        byte[] pixels = new byte[width * 9];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (128 + 100 * Math.sin(i % width / 300.0));
        }
        byte[] file = ImageEncoderTest.encode(
                ImageEncoder.jpeg(95, ChromaSampling.FULL), pixels, Shape.of(9, width, 1), ElementType.UINT8);
        ImageSpec gray = ImageSpec.original().channels(Channels.GRAY);

        assertThat(TestFiles.psnr(pixels, JpegDecodingTest.decode(file, gray, backend)))
                .isGreaterThan(40);
        byte[] small = JpegDecodingTest.decode(file, ImageSpec.exact(655, 3).channels(Channels.GRAY), backend);
        for (int x = 0; x < 655; x++) {
            assertThat((small[x] & 0xFF) - (pixels[100 * x + 50] & 0xFF)).isBetween(-8, 8);
        }
    }

    @Test
    void aSizeOfZeroIsRefused() {
        byte[] png = TestFiles.bytes("png/rgb-61x47.png");
        Arrays.fill(png, 16, 20, (byte) 0);

        assertRefused(png, "0 x 47");
    }

    @Test
    void aBadChecksumIsRefused() {
        byte[] png = TestFiles.bytes("png/rgb-61x47.png");
        png[png.length / 2] ^= 0x10;

        assertRefused(png, "PNG of");
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void thousandsOfScansAreRefused(JpegBackend backend) {
        Backends.require(backend);
        byte[] file = TestFiles.bytes("jpeg/420-progressive-160x120.jpg");
        int scan = indexOf(file, (byte) 0xFF, (byte) 0xDA);
        byte[] scans = Arrays.copyOfRange(file, scan, file.length - 2);
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        bomb.write(file, 0, scan);
        for (int i = 0; i < 300; i++) {
            bomb.write(scans, 0, scans.length);
        }
        bomb.write(0xFF);
        bomb.write(0xD9);

        assertThatThrownBy(() -> decode(bomb.toByteArray(), backend)).isInstanceOf(DecodeException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void whatATruncatedFileHasIsKeptOnRequest(JpegBackend backend) {
        Backends.require(backend);
        byte[] file = TestFiles.bytes("jpeg/444-121x87.jpg");
        byte[] part = Arrays.copyOf(file, file.length * 3 / 4);
        byte[] whole = JpegDecodingTest.decode(file, ImageSpec.original(), backend);

        byte[] kept = JpegDecodingTest.decode(part, ImageSpec.original().damage(Damage.KEPT), backend);

        int upperRows = 3 * 121 * 40;
        assertThat(Arrays.copyOf(kept, upperRows)).isEqualTo(Arrays.copyOf(whole, upperRows));
        assertThat(kept).isNotEqualTo(whole);
    }

    @Test
    void aFileNameIsPartOfTheMessage(@TempDir Path folder) throws IOException {
        Path file =
                Files.write(folder.resolve("broken.jpg"), Arrays.copyOf(TestFiles.bytes("jpeg/444-121x87.jpg"), 2_000));

        assertThatThrownBy(() -> Images.load(file, ImageSpec.original()))
                .isInstanceOfSatisfying(DecodeException.class, failure -> {
                    assertThat(failure).hasMessageStartingWith(file + ": JPEG of 2,000 bytes: ");
                    assertThat(failure.source()).contains(file.toString());
                });
    }

    private static void assertRefused(byte[] encoded, String reason) {
        assertThatThrownBy(() -> decode(encoded, JpegBackend.BEST))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(reason);
    }

    private static void decode(byte[] encoded, JpegBackend backend) {
        JpegDecodingTest.decode(encoded, ImageSpec.exact(32, 32), backend);
    }

    private static int indexOf(byte[] bytes, byte first, byte second) {
        for (int i = 0; i + 1 < bytes.length; i++) {
            if (bytes[i] == first && bytes[i + 1] == second) {
                return i;
            }
        }
        throw new AssertionError("no such marker");
    }
}
