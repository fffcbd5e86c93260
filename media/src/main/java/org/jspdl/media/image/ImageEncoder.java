package org.jspdl.media.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.function.Function;
import org.jspdl.media.internal.codec.JpegLibrary;
import org.jspdl.media.internal.resample.InterleavedPixels;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.SegmentBuffers;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// Encodes images as JPEG and PNG. Immutable; any number of threads may use one at once.
///
/// Images are tensors of three dimensions, or rows of a batch: `UINT8`, for PNG also `UINT16`, with 1 (gray), 3
/// (color) or, for PNG, 4 channels (color and alpha), channels last unless [#layout] says otherwise.
public final class ImageEncoder {
    private final Format format;
    private final Layout layout;
    private final boolean blueFirst;

    /// What is written.
    private sealed interface Format {
        record Jpeg(int quality, ChromaSampling sampling, JpegLibrary library) implements Format {}

        record Png(int level) implements Format {}
    }

    private ImageEncoder(Format format, Layout layout, boolean blueFirst) {
        this.format = format;
        this.layout = layout;
        this.blueFirst = blueFirst;
    }

    /// JPEG at a quality from 1 to 100 (libjpeg's scale), by the best library that the machine has.
    public static ImageEncoder jpeg(int quality, ChromaSampling sampling) {
        return jpeg(quality, sampling, JpegBackend.BEST);
    }

    /// JPEG by a library of your choice. FFmpeg has 31 steps of quality, of which the nearest is taken, and writes
    /// gray images with three channels.
    ///
    /// @throws IllegalStateException if that library is not there
    public static ImageEncoder jpeg(int quality, ChromaSampling sampling, JpegBackend backend) {
        if (quality < 1 || quality > 100) {
            throw new IllegalArgumentException("quality must be from 1 to 100 but was " + quality);
        }
        return new ImageEncoder(
                new Format.Jpeg(quality, Objects.requireNonNull(sampling), JpegBackends.choose(backend)),
                Layout.NHWC,
                false);
    }

    /// PNG at zlib's usual level of compression, 6.
    public static ImageEncoder png() {
        return png(6);
    }

    /// PNG at a level of compression from 0 (none, fast) to 9 (smallest).
    public static ImageEncoder png(int level) {
        if (level < 0 || level > 9) {
            throw new IllegalArgumentException("level must be from 0 to 9 but was " + level);
        }
        return new ImageEncoder(new Format.Png(level), Layout.NHWC, false);
    }

    /// This for images in another layout.
    public ImageEncoder layout(Layout of) {
        return new ImageEncoder(format, Objects.requireNonNull(of), blueFirst);
    }

    /// This for images whose first channel is blue.
    public ImageEncoder blueFirst() {
        return new ImageEncoder(format, layout, true);
    }

    /// The file of an image; the caller owns the lease, whose segment has exactly the file's size.
    ///
    /// @throws IllegalArgumentException if the image's shape or type can't be written in this format
    public Lease encode(Tensor image, BufferPool pool) {
        return encode(image.segment(), image.shape(), image.type(), pool);
    }

    /// The file of an image that is part of something else, such as a row of a batch; the caller owns the lease.
    ///
    /// @param shape height, width, channels in the layout's order
    /// @throws IllegalArgumentException if the image's shape or type can't be written in this format
    public Lease encode(MemorySegment image, Shape shape, ElementType type, BufferPool pool) {
        return encode(image, shape, type, file -> {
            Lease lease = pool.lease(file.byteSize());
            lease.segment().copyFrom(file);
            return lease;
        });
    }

    /// Writes the file of an image, over one that may be there.
    ///
    /// @throws IllegalArgumentException if the image's shape or type can't be written in this format
    /// @throws UncheckedIOException if it cannot be written
    public void write(Tensor image, Path file) {
        encode(image.segment(), image.shape(), image.type(), bytes -> {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                SegmentBuffers.write(channel, bytes);
                return file;
            } catch (IOException unwritable) {
                throw new UncheckedIOException("cannot write " + file, unwritable);
            }
        });
    }

    private <T> T encode(MemorySegment image, Shape shape, ElementType type, Function<MemorySegment, T> use) {
        if (shape.rank() != 3) {
            throw new IllegalArgumentException("an image has 3 dimensions but this has " + shape);
        }
        boolean last = layout == Layout.NHWC;
        int height = Math.toIntExact(shape.extent(last ? 0 : 1));
        int width = Math.toIntExact(shape.extent(last ? 1 : 2));
        int channels = Math.toIntExact(shape.extent(last ? 2 : 0));
        boolean deep = type == ElementType.UINT16;
        boolean png = format instanceof Format.Png;
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("an image has at least a pixel but this has " + shape + " as " + layout);
        }
        boolean fits = channels == 1 || channels == 3 || (channels == 4 && png);
        if (!fits || !(type == ElementType.UINT8 || (deep && png))) {
            throw new IllegalArgumentException((png ? "PNG" : "JPEG") + " cannot hold " + channels + " channels of "
                    + type + " (of shape " + shape + " as " + layout + ")");
        }
        if (image.byteSize() != Tensor.byteSize(type, shape)) {
            throw new IllegalArgumentException("an image of " + type + " " + shape + " has "
                    + Tensor.byteSize(type, shape) + " bytes but this has " + image.byteSize());
        }
        try (Arena arena = Arena.ofConfined()) {
            boolean ready = last && (!blueFirst || channels == 1) && image.isNative();
            MemorySegment pixels = ready
                    ? image
                    : new InterleavedPixels(channels, type.byteSize(), !last, blueFirst).copy(image, arena);
            return use.apply(
                    switch (format) {
                        case Format.Png(int level) ->
                            PngWriter.write(pixels, width, height, channels, deep, level, arena);
                        case Format.Jpeg(int quality, ChromaSampling sampling, JpegLibrary library) ->
                            library == JpegLibrary.TURBOJPEG
                                    ? TurboJpegWriter.write(pixels, width, height, channels, quality, sampling, arena)
                                    : FfmpegJpegWriter.write(pixels, width, height, channels, quality, sampling, arena);
                    });
        }
    }
}
