package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;
import org.jspdl.media.internal.tiff.TiffLayout;
import org.jspdl.media.internal.tiff.TiffReader;

/// TIFF in Java, but for pictures that are compressed as by a fax machine, which a library decodes.
///
/// Colors that were multiplied by their alpha are divided by it, as Pillow does it.
final class TiffCodec implements ImageCodec {
    private static final int ALIGNMENT = 64;
    private static final int MOST = 65_535;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfChar DEEP = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Supplier<ImageCodec> fax;
    private final TiffJpeg pictures = new TiffJpeg();
    private final TiffReader reader = new TiffReader(pictures);
    private final Scratch planes = new Scratch();

    /// @param fax gives the codec for what this one does not decode, which the caller closes
    TiffCodec(Supplier<ImageCodec> fax) {
        this.fax = fax;
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        TiffLayout layout = new TiffLayout(encoded, header.width, header.height);
        if (layout.isFax()) {
            fax.get().decode(encoded, header, reduce, part, mode, into);
            return;
        }
        boolean keepsAlpha = mode.keepsAlpha() && layout.hasAlpha();
        int stored = storedPlanes(layout, keepsAlpha);
        Model model = keepsAlpha ? Model.RGBA : layout.isGray() ? Model.GRAY : Model.RGB;
        int width = header.width;
        int height = header.height;
        long stride = Math.ceilDiv(width, ALIGNMENT) * (long) ALIGNMENT;
        long size = stride * height;
        MemorySegment memory = planes.atLeast(size * Math.max(stored, model.planes()));
        boolean indexed = layout.isPalette();
        reader.read(encoded, layout, stored, mode.keepsDamaged(), (plane, x, y, count, row, first, step) -> {
            long to = plane * size + y * stride + x;
            for (int i = 0; i < count; i++) {
                long sample = first + (long) i * step;
                memory.set(BYTE, to + i, (byte) (indexed ? row.stored(sample) : row.byteAt(sample)));
            }
        });
        for (int y = 0; y < height; y++) {
            finish(layout, model, memory, y * stride, size, width);
        }
        into.begin(width, height, model, Upsampling.NONE, Upsampling.NONE);
        for (int p = 0; p < model.planes(); p++) {
            into.plane(p).set(memory, p * size, stride, width, height);
        }
    }

    private static int storedPlanes(TiffLayout layout, boolean keepsAlpha) {
        return layout.colorPlanes() + (keepsAlpha || layout.isPremultiplied() ? 1 : 0);
    }

    /// Makes a row of samples one of colors.
    private static void finish(TiffLayout layout, Model model, MemorySegment memory, long row, long size, int width) {
        int colors = layout.colorPlanes();
        for (long at = row; at < row + width; at++) {
            if (layout.isWhiteZero()) {
                memory.set(BYTE, at, (byte) ~memory.get(BYTE, at));
            }
            if (layout.isPalette()) {
                int index = memory.get(BYTE, at) & 0xFF;
                for (int p = 0; p < 3; p++) {
                    memory.set(BYTE, at + p * size, (byte) (layout.palette(p, index) >> 8));
                }
            } else if (layout.isCmyk()) {
                int light = 255 - (memory.get(BYTE, at + 3 * size) & 0xFF);
                for (int p = 0; p < 3; p++) {
                    int ink = memory.get(BYTE, at + p * size) & 0xFF;
                    memory.set(BYTE, at + p * size, (byte) (((255 - ink) * light + 127) / 255));
                }
            } else if (layout.isPremultiplied()) {
                int alpha = memory.get(BYTE, at + colors * size) & 0xFF;
                for (int p = 0; p < colors; p++) {
                    int value = memory.get(BYTE, at + p * size) & 0xFF;
                    int divided = alpha == 0 ? value : Math.min(255, value * 255 / alpha);
                    memory.set(BYTE, at + p * size, (byte) divided);
                }
            }
            if (layout.isGray() && model == Model.RGBA) {
                byte gray = memory.get(BYTE, at);
                memory.set(BYTE, at + 3 * size, memory.get(BYTE, at + size));
                memory.set(BYTE, at + size, gray);
                memory.set(BYTE, at + 2 * size, gray);
            }
        }
    }

    @Override
    public void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        TiffLayout layout = new TiffLayout(encoded, header.width, header.height);
        boolean keepsAlpha = mode.keepsAlpha() && layout.hasAlpha();
        int stored = storedPlanes(layout, keepsAlpha);
        int colors = layout.colorPlanes();
        int channels = (layout.isCmyk() ? 3 : colors) + (keepsAlpha ? 1 : 0);
        int width = header.width;
        long stride = 2L * stored * width;
        MemorySegment memory = planes.atLeast(stride * header.height);
        reader.read(encoded, layout, stored, mode.keepsDamaged(), (plane, x, y, count, row, first, step) -> {
            long to = y * stride + 2L * ((long) x * stored + plane);
            for (int i = 0; i < count; i++) {
                memory.set(DEEP, to + 2L * i * stored, (char) row.deepAt(first + (long) i * step));
            }
        });
        int[] pixel = new int[stored];
        for (int y = 0; y < header.height; y++) {
            long from = y * stride;
            long to = from;
            for (int x = 0; x < width; x++, from += 2L * stored, to += 2L * channels) {
                for (int s = 0; s < stored; s++) {
                    pixel[s] = memory.get(DEEP, from + 2L * s);
                }
                finish(layout, colors, pixel);
                for (int c = 0; c < channels; c++) {
                    memory.set(DEEP, to + 2L * c, (char) pixel[c]);
                }
            }
        }
        into.set(memory, stride, width, header.height, channels, ByteOrder.LITTLE_ENDIAN);
    }

    private static void finish(TiffLayout layout, int colors, int[] pixel) {
        if (layout.isWhiteZero()) {
            pixel[0] = MOST - pixel[0];
        }
        if (layout.isCmyk()) {
            for (int p = 0; p < 3; p++) {
                pixel[p] = (int) (((long) (MOST - pixel[p]) * (MOST - pixel[3]) + MOST / 2) / MOST);
            }
        } else if (layout.isPremultiplied() && pixel[colors] > 0) {
            for (int p = 0; p < colors; p++) {
                pixel[p] = (int) Math.min(MOST, (long) pixel[p] * MOST / pixel[colors]);
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        pictures.close();
        planes.close();
    }
}
