package org.jspdl.media.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.resample.ResampleTarget;

/// Exchanges rows and columns of pixels, for pictures that were taken with the camera on its side.
final class PixelTranspose {
    private PixelTranspose() {}

    /// Copies the picture of `frame`'s target, transposed, into the frame's window of the output.
    static void copy(MemorySegment stored, ResamplePlan frame, MemorySegment output) {
        ResampleTarget target = frame.target();
        int channels = target.channels().count();
        int planes = target.interleaved() ? 1 : channels;
        int pixelBytes = target.interleaved() ? channels : 1;
        long storedPlane = (long) target.width() * target.height() * pixelBytes;
        long outputPitch = (long) frame.placement().width() * pixelBytes;
        long outputPlane = outputPitch * frame.placement().height();
        for (int plane = 0; plane < planes; plane++) {
            for (int row = 0; row < target.height(); row++) {
                long from = plane * storedPlane + (long) row * target.width() * pixelBytes;
                long to = plane * outputPlane + frame.top() * outputPitch + (long) (frame.left() + row) * pixelBytes;
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
