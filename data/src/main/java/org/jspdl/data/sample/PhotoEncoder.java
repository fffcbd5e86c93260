package org.jspdl.data.sample;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.DataBufferByte;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Encodes painted photos as JPEG files, with the encoder that comes with every JDK.
///
/// One thread at a time; whoever opened it closes it.
final class PhotoEncoder implements AutoCloseable {
    private static final String METADATA_FORMAT = "javax_imageio_jpeg_image_1.0";

    private final ImageWriter writer =
            ImageIO.getImageWritersByFormatName("jpeg").next();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 18);

    /// The file of `photo`.
    ///
    /// @param pixels as [Painter#paint] leaves them
    byte[] encode(Photo photo, byte[] pixels) throws IOException {
        BufferedImage image = image(photo, pixels);
        ImageWriteParam options = writer.getDefaultWriteParam();
        options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        options.setCompressionQuality(photo.quality() / 100f);
        if (photo.progressive()) {
            options.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        }
        IIOMetadata metadata =
                writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), options);
        if (photo.chroma() != Photo.Chroma.GRAY) {
            sample(metadata, photo.chroma());
        }
        bytes.reset();
        try (MemoryCacheImageOutputStream output = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(output);
            writer.write(null, new IIOImage(image, null, metadata), options);
        } finally {
            writer.setOutput(null);
        }
        return bytes.toByteArray();
    }

    private static BufferedImage image(Photo photo, byte[] pixels) {
        boolean gray = photo.chroma() == Photo.Chroma.GRAY;
        int channels = gray ? 1 : 3;
        int size = photo.width() * photo.height() * channels;
        WritableRaster raster = Raster.createInterleavedRaster(
                new DataBufferByte(pixels, size),
                photo.width(),
                photo.height(),
                photo.width() * channels,
                channels,
                gray ? new int[] {0} : new int[] {2, 1, 0},
                null);
        ColorSpace space = ColorSpace.getInstance(gray ? ColorSpace.CS_GRAY : ColorSpace.CS_sRGB);
        return new BufferedImage(
                new ComponentColorModel(space, false, false, ComponentColorModel.OPAQUE, DataBuffer.TYPE_BYTE),
                raster,
                false,
                null);
    }

    private static void sample(IIOMetadata metadata, Photo.Chroma chroma) throws IOException {
        Element root = (Element) metadata.getAsTree(METADATA_FORMAT);
        NodeList components = root.getElementsByTagName("componentSpec");
        Element luma = (Element) components.item(0);
        luma.setAttribute("HsamplingFactor", chroma == Photo.Chroma.YUV444 ? "1" : "2");
        luma.setAttribute("VsamplingFactor", chroma == Photo.Chroma.YUV420 ? "2" : "1");
        metadata.setFromTree(METADATA_FORMAT, root);
    }

    @Override
    public void close() {
        writer.dispose();
    }
}
