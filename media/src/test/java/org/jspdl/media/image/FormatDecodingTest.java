package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Formats other than JPEG against the JDK's decoders, or against pixels that Pillow (libwebp) made of the same file.
class FormatDecodingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "png/rgb-61x47.png",
                "png/gray-61x47.png",
                "png/palette-61x47.png",
                "png/bilevel-61x47.png",
                "gif/61x47.gif",
                "bmp/61x47.bmp",
                "tiff/raw-61x47.tiff",
                "tiff/lzw-61x47.tiff"
            })
    void losslessFormatsAreDecodedExactly(String file) {
        byte[] encoded = TestFiles.bytes(file);

        byte[] actual = JpegDecodingTest.decode(encoded, ImageSpec.original(), JpegBackend.BEST);

        assertThat(actual).isEqualTo(TestFiles.decodedByImageIo(encoded));
    }

    @ParameterizedTest
    @CsvSource({
        "png/rgba-61x47.png, png/rgb-61x47.png, 0",
        "png/gray-alpha-61x47.png, png/gray-61x47.png, 0",
        "png/gray16-61x47.png, png/gray-61x47.png, 1"
    })
    void alphaIsDroppedAndSixteenBitsAreReduced(String file, String plain, int tolerance) {
        byte[] expected = TestFiles.decodedByImageIo(TestFiles.bytes(plain));

        byte[] actual = JpegDecodingTest.decode(TestFiles.bytes(file), ImageSpec.original(), JpegBackend.BEST);

        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(tolerance);
    }

    @Test
    void interlacedPngIsDecodedExactly() throws IOException {
        byte[] plain = TestFiles.bytes("png/rgb-61x47.png");
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam interlaced = writer.getDefaultWriteParam();
        interlaced.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(ImageIO.read(new ByteArrayInputStream(plain)), null, null), interlaced);
        }
        writer.dispose();

        byte[] actual = JpegDecodingTest.decode(file.toByteArray(), ImageSpec.original(), JpegBackend.BEST);

        assertThat(file.toByteArray()[28]).as("the interlace method").isEqualTo((byte) 1);
        assertThat(actual).isEqualTo(TestFiles.decodedByImageIo(plain));
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void cmykJpegIsConvertedLikePillow(JpegBackend backend) {
        Backends.require(backend);
        byte[] expected = TestFiles.bytes("reference/cmyk-90x70.bin");

        byte[] actual = JpegDecodingTest.decode(TestFiles.bytes("jpeg/cmyk-90x70.jpg"), ImageSpec.original(), backend);

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(45);
    }

    /// The CMYK file said to be YCCK, against the JDK's samples of its four components. Many of its colors are
    /// then none, which FFmpeg clips after multiplying with black and not before.
    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void ycckJpegIsConverted(JpegBackend backend) throws IOException {
        Backends.require(backend);
        byte[] file = TestFiles.bytes("jpeg/cmyk-90x70.jpg");
        int[] stored = componentsByImageIo(file);
        int adobe = new String(file, StandardCharsets.ISO_8859_1).indexOf("Adobe");
        file[adobe + 11] = 2;
        numberComponents(file);
        byte[] expected = new byte[stored.length / 4 * 3];
        for (int i = 0; i < stored.length; i += 4) {
            double blue = stored[i + 1] - 128.0;
            double red = stored[i + 2] - 128.0;
            double[] ink = {1.402 * red, -0.344136 * blue - 0.714136 * red, 1.772 * blue};
            for (int c = 0; c < 3; c++) {
                double value = 255 - Math.clamp(stored[i] + ink[c], 0, 255);
                expected[i / 4 * 3 + c] = (byte) Math.round(value * stored[i + 3] / 255);
            }
        }

        byte[] actual = JpegDecodingTest.decode(file, ImageSpec.original(), backend);

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(backend == JpegBackend.TURBOJPEG ? 45 : 30);
    }

    /// Gives the components called C, M, Y and K the numbers 1 to 4, as YCCK files have them.
    private static void numberComponents(byte[] file) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        int frame = text.indexOf("\u00FF\u00C0") + 10;
        int scan = text.indexOf("\u00FF\u00DA") + 5;
        for (int c = 0; c < 4; c++) {
            file[frame + 3 * c] = (byte) (c + 1);
            file[scan + 2 * c] = (byte) (c + 1);
        }
    }

    private static int[] componentsByImageIo(byte[] file) throws IOException {
        ImageReader reader = ImageIO.getImageReadersByFormatName("jpeg").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(file))) {
            reader.setInput(in);
            Raster raster = reader.readRaster(0, null);
            return raster.getPixels(0, 0, raster.getWidth(), raster.getHeight(), (int[]) null);
        } finally {
            reader.dispose();
        }
    }

    @ParameterizedTest
    @CsvSource({"lossless, 100", "lossy, 42", "alpha, 42"})
    void webpMatchesLibwebp(String name, double decibels) {
        byte[] expected = TestFiles.bytes("webp/" + name + "-61x47.rgb");

        byte[] actual = JpegDecodingTest.decode(
                TestFiles.bytes("webp/" + name + "-61x47.webp"), ImageSpec.original(), JpegBackend.BEST);

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThanOrEqualTo(decibels);
    }

    /// Lenient decoding is FFmpeg's: what it makes of an undamaged file has to be what libwebp makes of it.
    @ParameterizedTest
    @CsvSource({"lossless, 100", "lossy, 50", "alpha, 38"})
    void bothWebpDecodersAgree(String name, double decibels) {
        Requires.library("libwebp.so.7");
        byte[] encoded = TestFiles.bytes("webp/" + name + "-61x47.webp");

        byte[] strict = JpegDecodingTest.decode(encoded, ImageSpec.original(), JpegBackend.BEST);
        byte[] lenient = JpegDecodingTest.decode(encoded, ImageSpec.original().damage(Damage.KEPT), JpegBackend.BEST);

        assertThat(TestFiles.psnr(lenient, strict)).isGreaterThanOrEqualTo(decibels);
    }

    @ParameterizedTest
    @CsvSource({
        "jpeg/420-121x87.jpg, JPEG, 121, 87, 3, 8, 1",
        "jpeg/gray-97x131.jpg, JPEG, 97, 131, 1, 8, 1",
        "jpeg/cmyk-90x70.jpg, JPEG, 90, 70, 4, 8, 1",
        "jpeg/orientation-6.jpg, JPEG, 60, 40, 3, 8, 6",
        "png/rgb-61x47.png, PNG, 61, 47, 3, 8, 1",
        "png/rgba-61x47.png, PNG, 61, 47, 4, 8, 1",
        "png/gray16-61x47.png, PNG, 61, 47, 1, 16, 1",
        "png/gray-alpha-61x47.png, PNG, 61, 47, 2, 8, 1",
        "png/palette-61x47.png, PNG, 61, 47, 3, 8, 1",
        "webp/lossy-61x47.webp, WEBP, 61, 47, 3, 8, 1",
        "webp/lossless-61x47.webp, WEBP, 61, 47, 3, 8, 1",
        "webp/alpha-61x47.webp, WEBP, 61, 47, 4, 8, 1",
        "gif/61x47.gif, GIF, 61, 47, 3, 8, 1",
        "bmp/61x47.bmp, BMP, 61, 47, 3, 8, 1",
        "tiff/lzw-61x47.tiff, TIFF, 61, 47, 3, 8, 1"
    })
    void probingTellsWhatTheHeaderSays(
            String file, ImageFormat format, int width, int height, int channels, int depth, int orientation) {
        ImageInfo info = ImageDecoder.probe(java.lang.foreign.MemorySegment.ofArray(TestFiles.bytes(file)));

        assertThat(info).isEqualTo(new ImageInfo(format, width, height, channels, depth, orientation));
    }
}
