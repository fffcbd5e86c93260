package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Renders all images of a batch into one, to inspect decoding and augmentation.
public final class ContactSheet {
    private static final int GAP = 2;
    private static final int LEVEL = 6;

    private ContactSheet() {}

    /// Writes the images of `batch`, made by `spec`, as a PNG file with `columns` images in a row.
    ///
    /// Normalized values are brought back to bytes, alpha is left out. The batch stays the caller's.
    ///
    /// @throws IllegalArgumentException if the batch is empty or not of the spec's shape and type
    public static void write(Tensor batch, ImageSpec spec, int columns, Path file) throws IOException {
        Shape shape = batch.shape();
        if (batch.type() != spec.elements()
                || shape.rank() != 4
                || shape.extent(0) < 1
                || !shape.row().equals(spec.rowShape())) {
            throw new IllegalArgumentException(batch + " is not a batch of " + spec.elements() + " " + spec.rowShape());
        }
        if (columns < 1) {
            throw new IllegalArgumentException("columns must be at least 1 but was " + columns);
        }
        boolean interleaved = spec.pixels().layout() == Layout.NHWC;
        int height = (int) shape.extent(interleaved ? 1 : 2);
        int width = (int) shape.extent(interleaved ? 2 : 3);
        int images = (int) shape.extent(0);
        int across = Math.min(columns, images);
        int sheetWidth = Math.addExact(Math.multiplyExact(across, width + GAP), GAP);
        int sheetHeight = Math.addExact(Math.multiplyExact((images + across - 1) / across, height + GAP), GAP);
        byte[] sheet = new byte[Math.multiplyExact(3, Math.multiplyExact(sheetWidth, sheetHeight))];
        for (int i = 0; i < images; i++) {
            int left = GAP + i % across * (width + GAP);
            int top = GAP + i / across * (height + GAP);
            paint(batch.row(i), spec.pixels(), width, height, sheet, 3 * (top * sheetWidth + left), 3 * sheetWidth);
        }
        try (Arena arena = Arena.ofConfined();
                FileChannel out = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            MemorySegment pixels = MemorySegment.ofArray(sheet);
            ByteBuffer bytes = PngWriter.write(pixels, sheetWidth, sheetHeight, 3, false, LEVEL, arena)
                    .asByteBuffer();
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    private static void paint(
            MemorySegment row, PixelSettings pixels, int width, int height, byte[] sheet, int origin, int pitch) {
        int channels = pixels.channels().count();
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int color = 0; color < 3; color++) {
                    int channel = channels == 1 ? 0 : pixels.channels() == Channels.BGR ? 2 - color : color;
                    long element = pixels.layout() == Layout.NHWC
                            ? ((long) y * width + x) * channels + channel
                            : ((long) channel * height + y) * width + x;
                    sheet[origin + y * pitch + 3 * x + color] =
                            (byte) value(row, element, pixels, channels == 1 ? 0 : color);
                }
            }
        }
    }

    /// The byte that an element was made from.
    private static int value(MemorySegment row, long element, PixelSettings pixels, int color) {
        float number = switch (pixels.type()) {
            case UINT16 -> (row.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element) & 0xFFFF) / 257f;
            case FLOAT32 -> row.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * element);
            case FLOAT16 -> Float.float16ToFloat(row.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element));
            case BFLOAT16 -> Float.intBitsToFloat(row.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element) << 16);
            default -> 0; // bytes are read below, and images are made of nothing else
        };
        if (pixels.type().byteSize() == 1) {
            return row.get(ValueLayout.JAVA_BYTE, element) & 0xFF;
        }
        if (pixels.type() == ElementType.UINT16) {
            return Math.round(number);
        }
        Normalization normalization = pixels.normalization();
        return Math.clamp(Math.round((number - normalization.bias(color)) / normalization.scale(color)), 0, 255);
    }
}
