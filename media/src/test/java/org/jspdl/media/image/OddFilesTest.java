package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.jspdl.input.DecodeException;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rare features of formats, each of which was wrong once: found by comparing foreign files with other decoders.
class OddFilesTest {
    private static final ImageSpec RGB = ImageSpec.original();
    private static final ImageSpec RGBA = RGB.channels(Channels.RGBA);

    @ParameterizedTest
    @CsvSource({"31744, 992, 31", "63488, 2016, 31"})
    void theBrightestColorOfABmpOf16BitsIsWhite(int red, int green, int blue) {
        short[] pixels = {(short) (red | green | blue), 0, (short) red, (short) red, (short) green, (short) blue};
        ByteBuffer data = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < pixels.length; i++) {
            data.putShort(i / 3 * 8 + i % 3 * 2, pixels[i]);
        }
        byte[] file = bmp(3, 2, 16, 3, new int[] {red, green, blue, 0}, data.array());

        // rows lie from the bottom to the top
        assertThat(decode(file, RGB))
                .containsExactly(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0);
    }

    @Test
    void bytesOfABmpThatNoMaskCallsAlphaAreNone() {
        byte[] pixel = {10, 20, 30, 40};

        assertThat(decode(bmp(1, 1, 32, 0, new int[4], pixel), RGBA)).containsExactly(30, 20, 10, 255);
        assertThat(decode(bmp(1, 1, 32, 3, new int[] {0xFF0000, 0xFF00, 0xFF, 0}, pixel), RGBA))
                .containsExactly(30, 20, 10, 255);
        assertThat(decode(bmp(1, 1, 32, 3, new int[] {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, pixel), RGBA))
                .containsExactly(30, 20, 10, 40);
    }

    /// With a header of 108 bytes, which has masks.
    private static byte[] bmp(int width, int height, int bits, int compression, int[] masks, byte[] data) {
        ByteBuffer file = ByteBuffer.allocate(122 + data.length).order(ByteOrder.LITTLE_ENDIAN);
        file.put((byte) 'B').put((byte) 'M').putInt(file.capacity()).putInt(0).putInt(122);
        file.putInt(108).putInt(width).putInt(height).putShort((short) 1).putShort((short) bits);
        file.putInt(compression)
                .putInt(data.length)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        for (int mask : masks) {
            file.putInt(mask);
        }
        return file.put(122, data).array();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void oneOfTwoGraysOfAPngIsTransparent(int transparent) throws IOException {
        BufferedImage picture = new BufferedImage(9, 1, BufferedImage.TYPE_BYTE_BINARY);
        for (int x = 0; x < 9; x += 2) {
            picture.getRaster().setSample(x, 0, 0, 1);
        }
        byte[] plain = write(picture, "png");
        assertThat(plain[25]).as("gray").isZero();
        ByteBuffer chunk = ByteBuffer.allocate(14).putInt(2).put("tRNS".getBytes(StandardCharsets.US_ASCII));
        chunk.putShort((short) transparent);
        CRC32 checksum = new CRC32();
        checksum.update(chunk.array(), 4, 6);
        chunk.putInt((int) checksum.getValue());
        byte[] file = insert(plain, 33, chunk.array());

        int[] pixels = decode(file, RGBA);

        for (int x = 0; x < 9; x++) {
            int bit = (x + 1) % 2;
            assertThat(Arrays.copyOfRange(pixels, 4 * x, 4 * x + 4))
                    .containsExactly(255 * bit, 255 * bit, 255 * bit, bit == transparent ? 0 : 255);
        }
        assertThat(decode(file, RGB)).isEqualTo(decode(plain, RGB));
    }

    @Test
    void aTransparentPixelOfAGifIsWhiteWhereAlphaIsDropped() throws IOException {
        byte[] reds = {10, (byte) 200, 30, 0};
        byte[] others = {20, 100, 40, 0};
        BufferedImage picture = new BufferedImage(
                3, 1, BufferedImage.TYPE_BYTE_INDEXED, new IndexColorModel(2, 4, reds, others, others, 1));
        for (int x = 0; x < 3; x++) {
            picture.getRaster().setSample(x, 0, 0, x);
        }
        byte[] file = write(picture, "gif");

        assertThat(decode(file, RGB)).containsExactly(10, 20, 20, 255, 255, 255, 30, 40, 40);
        assertThat(decode(file, RGB.background(1, 2, 3))).containsExactly(10, 20, 20, 1, 2, 3, 30, 40, 40);
        assertThat(decode(file, RGBA)[7]).isZero();
    }

    /// What Pillow does, too.
    @Test
    void anAnimationsFirstPictureLiesWhereItShouldOnItsCanvas() {
        byte[] still = TestFiles.bytes("webp/lossless-61x47.webp");
        int[] picture = decode(still, RGB);

        for (boolean alpha : new boolean[] {false, true}) {
            byte[] file = animation(still, 80, 64, 6, 10, alpha);
            int[] rgb = decode(file, RGB);
            int[] rgba = decode(file, RGBA);
            for (int i = 0; i < 80 * 64; i++) {
                int x = i % 80 - 6;
                int y = i / 80 - 10;
                boolean inside = x >= 0 && x < 61 && y >= 0 && y < 47;
                for (int c = 0; c < 3; c++) {
                    int expected = inside ? picture[3 * (y * 61 + x) + c] : 0;
                    assertThat(rgb[3 * i + c]).isEqualTo(expected);
                    assertThat(rgba[4 * i + c]).isEqualTo(expected);
                }
                assertThat(rgba[4 * i + 3]).isEqualTo(inside || !alpha ? 255 : 0);
            }
        }
        assertThatThrownBy(() -> decode(animation(still, 80, 64, 20, 10, false), RGB))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("its first picture of 61 x 47 at 20, 10");
    }

    private static byte[] animation(byte[] still, int width, int height, int left, int top, boolean alpha) {
        int length = still.length - 12;
        ByteBuffer file = ByteBuffer.allocate(30 + 14 + 24 + length).order(ByteOrder.LITTLE_ENDIAN);
        file.put(text("RIFF")).putInt(file.capacity() - 8).put(text("WEBPVP8X")).putInt(10);
        file.putInt(alpha ? 0x12 : 2);
        put24(put24(file, width - 1), height - 1);
        file.put(text("ANIM")).putInt(6).putInt(-1).putShort((short) 0);
        file.put(text("ANMF")).putInt(16 + length);
        put24(put24(file, left / 2), top / 2);
        put24(put24(file, 60), 46);
        put24(file, 100).put((byte) 0);
        return file.put(still, 12, length).array();
    }

    private static ByteBuffer put24(ByteBuffer file, int value) {
        return file.put((byte) value).put((byte) (value >> 8)).put((byte) (value >> 16));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({"ftypmif1, HEIF without AV1 or HEVC", "'JXL abcd', JPEG XL", "'jP  abcd', JPEG 2000"})
    void formatsThatAreNotDecodedAreRefusedByName(String content, String name) {
        byte[] file = ("\0\0\0\u0010" + content + "\0\0\0\0").getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> decode(file, RGB))
                .isInstanceOf(DecodeException.class)
                .hasMessageStartingWith(name + " is not decoded; convert it to one of JPEG, PNG,");
    }

    /// libjpeg repeats chroma samples of planes of one or two columns, and interpolates others.
    @ParameterizedTest
    @EnumSource
    void chromaOfTinyJpegPicturesIsEnlargedAsLibjpegDoesIt(JpegBackend backend) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        for (int width = 1; width <= 8; width++) {
            for (int height = 1; height <= 8; height++) {
                BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
                for (int i = 0; i < width * height; i++) {
                    picture.setRGB(i % width, i / width, random.nextInt());
                }
                byte[] file = write(picture, "jpeg");
                byte[] expected = TestFiles.decodedByImageIo(file);
                byte[] actual = JpegDecodingTest.decode(file, RGB, backend);
                assertThat(TestFiles.largestError(expected, actual))
                        .as("%d x %d by %s", width, height, backend)
                        .isLessThanOrEqualTo(3);
            }
        }
    }

    @Test
    void whatAnAvifFileSaysOfItsRangeCountsMoreThanWhatItsPictureSays() {
        byte[] file = TestFiles.bytes("avif/gray.avif");
        int at = new String(file, StandardCharsets.ISO_8859_1).indexOf("colrnclx");
        assertThat(at).isPositive();
        int[] whole = decode(file, RGB);
        assertThat(file[at + 14]).isEqualTo((byte) 0x80);
        file[at + 14] = 0;
        int[] limited = decode(file, RGB);

        for (int i = 0; i < whole.length; i++) {
            assertThat((double) limited[i]).isBetween(stretched(whole[i]) - 2, stretched(whole[i]) + 2);
        }
    }

    private static double stretched(int value) {
        return Math.clamp((value - 16) * 255 / 219.0, 0, 255);
    }

    /// EXIF may lie anywhere but among the pixels, and before or behind what says which gray is transparent.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void orientationOfAPngFileIsFoundWhereverItLies(boolean beforePixels) throws IOException {
        BufferedImage picture = new BufferedImage(5, 3, BufferedImage.TYPE_BYTE_BINARY);
        picture.setRGB(1, 0, 0xFFFFFF);
        byte[] plain = write(picture, "png");
        byte[] turned = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0};
        int pixels = new String(plain, StandardCharsets.ISO_8859_1).indexOf("IDAT") - 4;
        byte[] clear = insert(plain, pixels, chunk("tRNS", new byte[] {0, 0}));
        byte[] file = insert(clear, beforePixels ? pixels : clear.length - 12, chunk("eXIf", turned));

        assertThat(ImageDecoder.probe(MemorySegment.ofArray(file)).orientation())
                .isEqualTo(6);
        int[] upright = decode(file, RGBA.orientation(Orientation.UPRIGHT), 3, 5);
        for (int y = 0; y < 5; y++) {
            for (int x = 0; x < 3; x++) {
                boolean white = x == 2 && y == 1;
                assertThat(upright[4 * (3 * y + x)]).as("%d, %d", x, y).isEqualTo(white ? 255 : 0);
                assertThat(upright[4 * (3 * y + x) + 3]).as("%d, %d", x, y).isEqualTo(white ? 255 : 0);
            }
        }
    }

    /// Of several EXIF segments the first counts, as for Pillow; its orientation may have another type than it
    /// should.
    @ParameterizedTest
    @CsvSource({
        "6:3:MM, 6",
        "6:3:MM 1:3:II, 6",
        "6:3:MM none, 6",
        "1:3:II 6:3:MM, 1",
        "none 6:3:MM, 1",
        "6:4:MM, 6",
        "6:4:II, 6",
        "6:1:MM, 6",
        "6:1:II, 6",
        "9:3:MM, 1",
        "65542:4:MM, 1"
    })
    void theFirstExifOfAJpegFileTellsItsOrientation(String segments, int orientation) throws IOException {
        byte[] file = write(new BufferedImage(16, 8, BufferedImage.TYPE_BYTE_GRAY), "jpg");
        int at = 2;
        for (String segment : segments.split(" ")) {
            byte[] exif = exif(segment);
            file = insert(file, at, exif);
            at += exif.length;
        }

        assertThat(ImageDecoder.probe(MemorySegment.ofArray(file)).orientation())
                .isEqualTo(orientation);
    }

    /// @param what `none`, or the orientation, its type and the order of bytes
    private static byte[] exif(String what) {
        String[] parts = what.split(":");
        boolean isThere = parts.length > 1;
        String order = isThere ? parts[2] : "II";
        ByteBuffer tiff =
                ByteBuffer.allocate(26).order(order.equals("II") ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        tiff.put(text(order)).putShort((short) 42).putInt(8).putShort((short) (isThere ? 1 : 0));
        if (isThere) {
            int value = Integer.parseInt(parts[0]);
            int type = Integer.parseInt(parts[1]);
            tiff.putShort((short) 0x0112).putShort((short) type).putInt(1);
            switch (type) {
                case 1 -> tiff.put((byte) value);
                case 3 -> tiff.putShort((short) value);
                default -> tiff.putInt(value);
            }
        }
        return ByteBuffer.allocate(10 + tiff.capacity())
                .put(new byte[] {(byte) 0xFF, (byte) 0xE1})
                .putShort((short) (8 + tiff.capacity()))
                .put(text("Exif\0\0"))
                .put(tiff.array())
                .array();
    }

    private static byte[] chunk(String name, byte[] content) {
        ByteBuffer chunk = ByteBuffer.allocate(12 + content.length);
        chunk.putInt(content.length).put(text(name)).put(content);
        CRC32 sum = new CRC32();
        sum.update(chunk.array(), 4, 4 + content.length);
        return chunk.putInt((int) sum.getValue()).array();
    }

    @Test
    void colorsOfALossyWebpPictureAreTheSameWithItsAlpha() {
        Requires.library("libwebp.so.7");
        byte[] file = TestFiles.bytes("webp/alpha-61x47.webp");
        int[] rgb = decode(file, RGB);
        int[] rgba = decode(file, RGBA);
        for (int i = 0; i < rgb.length; i++) {
            if (rgba[i / 3 * 4 + 3] == 255) {
                assertThat(rgba[i / 3 * 4 + i % 3]).isBetween(rgb[i] - 6, rgb[i] + 6);
            }
        }
    }

    private static byte[] write(BufferedImage picture, String format) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ImageIO.write(picture, format, file);
        return file.toByteArray();
    }

    private static byte[] insert(byte[] file, int at, byte[] more) {
        byte[] all = Arrays.copyOf(file, file.length + more.length);
        System.arraycopy(more, 0, all, at, more.length);
        System.arraycopy(file, at, all, at + more.length, file.length - at);
        return all;
    }

    /// The pixels, 0 to 255.
    private static int[] decode(byte[] file, ImageSpec spec) {
        var info = ImageDecoder.probe(MemorySegment.ofArray(file));
        return decode(file, spec, info.width(), info.height());
    }

    private static int[] decode(byte[] file, ImageSpec spec, int width, int height) {
        byte[] row = new byte[width * height * spec.channels().count()];
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            decoder.decodeInto(MemorySegment.ofArray(file), MemorySegment.ofArray(row));
        }
        int[] pixels = new int[row.length];
        for (int i = 0; i < row.length; i++) {
            pixels[i] = row[i] & 0xFF;
        }
        return pixels;
    }
}
