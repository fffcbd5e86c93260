package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The quality levels against a full decode by the JDK and an antialiased resize in double precision.
///
/// The picture is the test JPEG enlarged and tiled, so that it has detail at every scale; at 1,200 x 900 the codec may
/// reduce it by two, four or eight.
class QualityTest {
    private static byte[] encoded = new byte[0];
    private static byte[] decoded = new byte[0];

    @BeforeAll
    static void makeAPicture() throws IOException {
        Backends.requireTurboJpeg();
        BufferedImage tile = ImageIO.read(new ByteArrayInputStream(TestFiles.bytes("jpeg/444-121x87.jpg")));
        BufferedImage picture = new BufferedImage(1200, 900, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = picture.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        for (int i = 0; i < 16; i++) {
            graphics.drawImage(tile, i % 4 * 300, i / 4 * 225, 300 + i, 225 + i, null);
        }
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(picture, "jpg", bytes);
        encoded = bytes.toByteArray();
        decoded = TestFiles.decodedByImageIo(encoded);
    }

    @ParameterizedTest
    @CsvSource({
        "EXACT, 600, 48",
        "EXACT, 256, 48",
        "EXACT, 64, 48",
        "DEFAULT, 600, 44",
        "DEFAULT, 256, 42",
        "DEFAULT, 200, 42",
        "DEFAULT, 64, 40",
        "FASTEST, 600, 38",
        "FASTEST, 256, 34",
        "FASTEST, 64, 33"
    })
    void eachLevelIsAsCloseAsItSays(Quality quality, int side, double decibels) {
        ImageSpec spec = ImageSpec.shorterSide(side).quality(quality);
        byte[] expected = ReferenceResize.resize(decoded, 1200, spec.place(1200, 900));

        byte[] actual = JpegDecodingTest.decode(encoded, spec, JpegBackend.BEST);

        double psnr = TestFiles.psnr(expected, actual);
        assertThat(psnr).isGreaterThan(decibels);
    }
}
