package org.jspdl.media.image;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/// Writes 8-bit RGB pictures as PNG files.
final class PngWriter {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int RGB = 2;
    private static final byte FILTER_LEFT = 1;

    private PngWriter() {}

    /// Writes `height` rows of `width` interleaved RGB pixels; leaves `out` open.
    static void write(byte[] rgb, int width, int height, OutputStream out) throws IOException {
        out.write(SIGNATURE);
        Chunk header = new Chunk("IHDR");
        header.content.writeInt(width);
        header.content.writeInt(height);
        header.content.write(new byte[] {8, RGB, 0, 0, 0});
        header.writeTo(out);
        Chunk pixels = new Chunk("IDAT");
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(pixels.content)) {
            byte[] line = new byte[3 * width + 1];
            line[0] = FILTER_LEFT;
            for (int y = 0; y < height; y++) {
                int at = 3 * width * y;
                for (int i = 0; i < 3 * width; i++) {
                    line[i + 1] = (byte) (rgb[at + i] - (i < 3 ? 0 : rgb[at + i - 3]));
                }
                deflater.write(line);
            }
        }
        pixels.writeTo(out);
        new Chunk("IEND").writeTo(out);
    }

    /// One chunk, collected in memory because its length comes first.
    private static final class Chunk {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream content = new DataOutputStream(bytes);

        Chunk(String type) throws IOException {
            content.write(type.getBytes(StandardCharsets.US_ASCII));
        }

        void writeTo(OutputStream out) throws IOException {
            byte[] typeAndContent = bytes.toByteArray();
            CRC32 checksum = new CRC32();
            checksum.update(typeAndContent);
            DataOutputStream data = new DataOutputStream(out);
            data.writeInt(typeAndContent.length - 4);
            data.write(typeAndContent);
            data.writeInt((int) checksum.getValue());
            data.flush();
        }
    }
}
