package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Exchanges rows and columns of pixels, for pictures that were taken with the camera on its side.
public final class PixelTranspose {
    private PixelTranspose() {}

    /// Copies the picture of `target`, transposed, into the window at `left`, `top` of an output of `width` x
    /// `height` pixels.
    public static void copy(
            MemorySegment stored,
            ResampleTarget target,
            MemorySegment output,
            int width,
            int height,
            int left,
            int top) {
        int channels = target.channels().count();
        int planes = target.interleaved() ? 1 : channels;
        int pixelBytes = target.interleaved() ? channels : 1;
        long storedPlane = (long) target.width() * target.height() * pixelBytes;
        long outputPitch = (long) width * pixelBytes;
        long outputPlane = outputPitch * height;
        for (int plane = 0; plane < planes; plane++) {
            for (int row = 0; row < target.height(); row++) {
                long from = plane * storedPlane + (long) row * target.width() * pixelBytes;
                long to = plane * outputPlane + top * outputPitch + (long) (left + row) * pixelBytes;
                for (int column = 0; column < target.width(); column++) {
                    for (int c = 0; c < pixelBytes; c++) {
                        byte value = stored.get(ValueLayout.JAVA_BYTE, from + (long) column * pixelBytes + c);
                        output.set(ValueLayout.JAVA_BYTE, to + column * outputPitch + c, value);
                    }
                }
            }
        }
    }
}
