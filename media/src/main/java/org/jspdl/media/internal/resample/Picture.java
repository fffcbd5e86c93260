package org.jspdl.media.internal.resample;

import java.lang.foreign.MemorySegment;

/// A decoded picture as a codec left it: up to four planes of bytes in memory that the codec's scratch owns.
///
/// Mutable and reused: a codec fills it anew for each picture, and its memory is valid until the codec's next call.
/// Used by one thread at a time.
public final class Picture {
    /// What the planes are.
    public enum Model {
        /// One plane of luminance.
        GRAY(1),
        /// Luminance and two chroma planes, BT.601 in full range (JPEG's).
        YCBCR(3),
        /// Red, green and blue planes.
        RGB(3),
        /// Red, green, blue and alpha planes.
        RGBA(4);

        private final int planes;

        Model(int planes) {
            this.planes = planes;
        }

        /// How many planes there are.
        public int planes() {
            return planes;
        }
    }

    /// One plane.
    public static final class Plane {
        MemorySegment memory = MemorySegment.NULL;
        long offset;
        long stride;
        int width;
        int height;

        /// Where the plane lies, and other things beside it.
        public MemorySegment memory() {
            return memory;
        }

        /// Where row `y` begins in [#memory].
        public long row(int y) {
            return offset + y * stride;
        }

        /// Samples in a row.
        public int width() {
            return width;
        }

        /// Rows of samples.
        public int height() {
            return height;
        }

        /// Describes the plane.
        ///
        /// @param memory where it lies, at least `offset + (height - 1) * stride + width` bytes
        public void set(MemorySegment memory, long offset, long stride, int width, int height) {
            long needed = offset + (height - 1L) * stride + width;
            if (offset < 0 || stride < width || needed > memory.byteSize()) {
                throw new IllegalArgumentException("a plane of " + width + " x " + height + " with stride " + stride
                        + " needs " + needed + " bytes but has " + memory.byteSize());
            }
            this.memory = memory;
            this.offset = offset;
            this.stride = stride;
            this.width = width;
            this.height = height;
        }
    }

    private final Plane[] planes = {new Plane(), new Plane(), new Plane(), new Plane()};
    private int width;
    private int height;
    private Model model = Model.GRAY;
    private Upsampling across = Upsampling.NONE;
    private Upsampling down = Upsampling.NONE;

    /// Begins a new picture of `width` x `height` pixels; `across` and `down` tell how planes 1 and 2 are
    /// subsampled.
    public void begin(int width, int height, Model model, Upsampling across, Upsampling down) {
        this.width = width;
        this.height = height;
        this.model = model;
        this.across = across;
        this.down = down;
    }

    /// Declares that the alpha plane no longer counts.
    public void dropAlpha() {
        model = Model.RGB;
    }

    /// Plane `index`, to be set or read.
    public Plane plane(int index) {
        return planes[index];
    }

    /// Pixels in a row, at the resolution that was decoded.
    public int width() {
        return width;
    }

    /// Rows, at the resolution that was decoded.
    public int height() {
        return height;
    }

    /// What the planes are.
    public Model model() {
        return model;
    }

    /// How plane `plane` is subsampled from left to right.
    public Upsampling across(int plane) {
        return plane == 1 || plane == 2 ? across : Upsampling.NONE;
    }

    /// How plane `plane` is subsampled from top to bottom.
    public Upsampling down(int plane) {
        return plane == 1 || plane == 2 ? down : Upsampling.NONE;
    }
}
