package org.jspdl.media.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspdl.media.internal.turbojpeg.TurboJpeg;
import org.jspdl.media.internal.turbojpeg.TurboJpegCompressor;

/// JPEG files through TurboJPEG.
final class TurboJpegWriter {
    private TurboJpegWriter() {}

    /// The file of `height` rows of `width` interleaved pixels of bytes, gray or RGB, in memory of `arena`.
    static MemorySegment write(
            MemorySegment pixels,
            int width,
            int height,
            int channels,
            int quality,
            ChromaSampling sampling,
            Arena arena) {
        int subsampling = channels == 1
                ? TurboJpeg.SAMPLING_GRAY
                : switch (sampling) {
                    case FULL -> TurboJpeg.SAMPLING_444;
                    case HALF_ACROSS -> TurboJpeg.SAMPLING_422;
                    case HALF_BOTH -> TurboJpeg.SAMPLING_420;
                };
        long most = TurboJpegCompressor.mostBytes(width, height, subsampling);
        if (most < 0) {
            throw new IllegalArgumentException("JPEG cannot hold " + width + " x " + height + " pixels");
        }
        MemorySegment file = arena.allocate(most);
        MemorySegment buffer = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
        buffer.set(ValueLayout.ADDRESS, 0, file);
        size.set(ValueLayout.JAVA_LONG, 0, most);
        MemorySegment handle = TurboJpegCompressor.init();
        try {
            int format = channels == 1 ? TurboJpeg.PIXELS_GRAY : TurboJpeg.PIXELS_RGB;
            if (TurboJpegCompressor.compress(
                            handle, pixels, width, height, width * channels, format, buffer, size, subsampling, quality)
                    != 0) {
                throw new IllegalArgumentException("JPEG of " + width + " x " + height + " pixels cannot be written: "
                        + TurboJpeg.errorText(handle));
            }
        } finally {
            TurboJpeg.destroy(handle);
        }
        return file.asSlice(0, size.get(ValueLayout.JAVA_LONG, 0));
    }
}
