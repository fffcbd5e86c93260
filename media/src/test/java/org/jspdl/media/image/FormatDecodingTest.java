package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
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
                "png/grey-61x47.png",
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
        "png/grey-alpha-61x47.png, png/grey-61x47.png, 0",
        "png/grey16-61x47.png, png/grey-61x47.png, 1"
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
        byte[] expected = TestFiles.bytes("reference/cmyk-90x70.bin");

        byte[] actual = JpegDecodingTest.decode(TestFiles.bytes("jpeg/cmyk-90x70.jpg"), ImageSpec.original(), backend);

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(45);
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
        byte[] encoded = TestFiles.bytes("webp/" + name + "-61x47.webp");

        byte[] strict = JpegDecodingTest.decode(encoded, ImageSpec.original(), JpegBackend.BEST);
        byte[] lenient = JpegDecodingTest.decode(encoded, ImageSpec.original().damage(Damage.KEPT), JpegBackend.BEST);

        assertThat(TestFiles.psnr(lenient, strict)).isGreaterThanOrEqualTo(decibels);
    }

    @ParameterizedTest
    @CsvSource({
        "jpeg/420-121x87.jpg, JPEG, 121, 87, 3, 8, 1",
        "jpeg/grey-97x131.jpg, JPEG, 97, 131, 1, 8, 1",
        "jpeg/cmyk-90x70.jpg, JPEG, 90, 70, 4, 8, 1",
        "jpeg/orientation-6.jpg, JPEG, 60, 40, 3, 8, 6",
        "png/rgb-61x47.png, PNG, 61, 47, 3, 8, 1",
        "png/rgba-61x47.png, PNG, 61, 47, 4, 8, 1",
        "png/grey16-61x47.png, PNG, 61, 47, 1, 16, 1",
        "png/grey-alpha-61x47.png, PNG, 61, 47, 2, 8, 1",
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
