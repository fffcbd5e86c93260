package org.jspdl.media.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import javax.imageio.ImageIO;

/// Encoded images from the test resources, and what the JDK's own decoder makes of them.
final class TestFiles {
    private TestFiles() {}

    static byte[] bytes(String name) {
        try (InputStream in = Objects.requireNonNull(TestFiles.class.getResourceAsStream("/" + name), name)) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// The file in native memory of `arena`, without a byte to spare.
    static MemorySegment load(String name, Arena arena) {
        return toNative(bytes(name), arena);
    }

    static MemorySegment toNative(byte[] bytes, Arena arena) {
        return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    /// RGB bytes, channels last, as ImageIO decodes them.
    static byte[] decodedByImageIo(byte[] encoded) {
        try {
            BufferedImage image = Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(encoded)));
            byte[] rgb = new byte[image.getWidth() * image.getHeight() * 3];
            boolean gray = image.getRaster().getNumBands() == 1
                    && image.getColorModel().getPixelSize() == 8
                    && image.getType() == BufferedImage.TYPE_BYTE_GRAY;
            for (int i = 0; i < rgb.length / 3; i++) {
                int x = i % image.getWidth();
                int y = i / image.getWidth();
                // getRGB would apply a gamma curve to gray pictures
                int sample = gray ? image.getRaster().getSample(x, y, 0) * 0x010101 : image.getRGB(x, y);
                rgb[3 * i] = (byte) (sample >> 16);
                rgb[3 * i + 1] = (byte) (sample >> 8);
                rgb[3 * i + 2] = (byte) sample;
            }
            return rgb;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /// Peak signal-to-noise ratio in dB of two byte images.
    static double psnr(byte[] expected, byte[] actual) {
        if (expected.length != actual.length) {
            throw new AssertionError("expected " + expected.length + " bytes but got " + actual.length);
        }
        double squares = 0;
        for (int i = 0; i < expected.length; i++) {
            double difference = (expected[i] & 0xFF) - (actual[i] & 0xFF);
            squares += difference * difference;
        }
        return squares == 0 ? 100 : 10 * Math.log10(255.0 * 255.0 * expected.length / squares);
    }

    /// The largest difference of two byte images.
    static int largestError(byte[] expected, byte[] actual) {
        int largest = 0;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs((expected[i] & 0xFF) - (actual[i] & 0xFF)));
        }
        return largest;
    }

    /// The floats in a row.
    static float[] floats(byte[] row) {
        float[] floats = new float[row.length / Float.BYTES];
        MemorySegment.copy(MemorySegment.ofArray(row), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, floats, 0, floats.length);
        return floats;
    }
}
