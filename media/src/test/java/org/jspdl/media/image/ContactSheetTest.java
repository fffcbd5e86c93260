package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContactSheetTest {
    private static final ImageSpec SPEC = ImageSpec.exact(20, 10);

    @TempDir
    Path folder;

    @Test
    void everyImageIsSeenWhateverItsElementsAre() throws IOException {
        byte[] file = TestFiles.bytes("jpeg/420-121x87.jpg");
        byte[] pixels = JpegDecodingTest.decode(file, SPEC, JpegBackend.BEST);
        List<ImageSpec> specs = List.of(
                SPEC,
                SPEC.channels(Channels.BGR).layout(Layout.NCHW),
                SPEC.elements(ElementType.FLOAT32).normalization(Normalization.imageNet()),
                SPEC.elements(ElementType.FLOAT16).layout(Layout.NCHW));
        for (ImageSpec spec : specs) {
            BufferedImage sheet = sheet(spec, List.of(file, file, file), 2);

            assertThat(sheet.getWidth()).isEqualTo(2 + 2 * 22);
            assertThat(sheet.getHeight()).isEqualTo(2 + 2 * 12);
            for (int image = 0; image < 3; image++) {
                for (int i = 0; i < 200; i++) {
                    int x = 2 + image % 2 * 22 + i % 20;
                    int y = 2 + image / 2 * 12 + i / 20;
                    int expected = ((pixels[3 * i] & 0xFF) << 16)
                            | ((pixels[3 * i + 1] & 0xFF) << 8)
                            | (pixels[3 * i + 2] & 0xFF);
                    assertThat(sheet.getRGB(x, y) & 0xFFFFFF).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aBatchOfAnotherShapeIsRefused() {
        try (BufferPool pool = BufferPool.create("sheet", 1 << 20);
                Tensor batch = Tensor.allocate(
                        ElementType.UINT8, ImageSpec.exact(5, 5).rowShape().batched(2), pool)) {
            assertThatThrownBy(() -> ContactSheet.write(batch, SPEC, 2, folder.resolve("sheet.png")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[10, 20, 3]");
        }
    }

    private BufferedImage sheet(ImageSpec spec, List<byte[]> files, int columns) throws IOException {
        Path path = folder.resolve("sheet.png");
        try (BufferPool pool = BufferPool.create("sheet", 1 << 20);
                ImageBatches batches = ImageBatches.of(spec, pool);
                Tensor batch = batches.decode(
                        files.stream().map(MemorySegment::ofArray).toList())) {
            ContactSheet.write(batch, spec, columns, path);
        }
        return ImageIO.read(path.toFile());
    }
}
