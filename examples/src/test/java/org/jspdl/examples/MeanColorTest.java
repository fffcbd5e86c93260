package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeanColorTest {
    @TempDir
    Path folder;

    @Test
    void theMeanOfPlainPicturesIsTheMeanOfTheirColors() throws Exception {
        write(folder.resolve("a.png"), 0x204060);
        write(Files.createDirectory(folder.resolve("sub")).resolve("b.png"), 0x406080);

        assertThat(Printed.by(() -> MeanColor.main(new String[] {folder.toString()})))
                .startsWith("mean color 48.0 80.0 112.0 of 8,192 pixels. Bottleneck: ");
    }

    private static void write(Path file, int color) throws Exception {
        BufferedImage image = new BufferedImage(90, 70, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                image.setRGB(x, y, color);
            }
        }
        ImageIO.write(image, "png", file.toFile());
    }
}
