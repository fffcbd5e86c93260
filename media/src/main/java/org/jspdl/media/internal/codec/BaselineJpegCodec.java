package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.jpeg.BaselineDecoder;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.media.internal.resample.Picture.Model;
import org.jspdl.media.internal.resample.Upsampling;

/// JPEG by the decoder in Java, which takes sound baseline files at their full size, and by a library whatever it
/// declines.
public final class BaselineJpegCodec implements ImageCodec {
    private static final int LUMA = 0;
    private static final int ALIGNMENT = 64;

    private final BaselineDecoder decoder = new BaselineDecoder();
    private final Scratch planes = new Scratch();
    private final Supplier<ImageCodec> library;
    private final Warmup warmup;

    /// @param library gives the codec for other files, which the caller closes
    /// @param warmup  which files go to the library at first, which then has to make the same samples
    public BaselineJpegCodec(Supplier<ImageCodec> library, Warmup warmup) {
        this.library = library;
        this.warmup = warmup;
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        boolean first = !warmup.isOver();
        long start = first ? System.nanoTime() : 0;
        if (reduce == 1 && warmup.takesNext() && decodeInJava(encoded, header, part, into)) {
            if (first) {
                warmup.java(encoded.byteSize(), System.nanoTime() - start);
            }
            return;
        }
        library.get().decode(encoded, header, reduce, part, mode, into);
        if (first) {
            warmup.library(encoded.byteSize(), System.nanoTime() - start);
        }
    }

    private boolean decodeInJava(MemorySegment encoded, ImageHeader header, Region part, Picture into) {
        if (!decoder.open(encoded) || decoder.width() != header.width || decoder.height() != header.height) {
            return false;
        }
        long needed = 0;
        for (int p = 0; p < decoder.planes(); p++) {
            needed += (long) stride(p) * decoder.storedHeight(p);
        }
        if (needed > Integer.MAX_VALUE) {
            return false;
        }
        MemorySegment memory = planes.atLeast(needed);
        describe(memory, into);
        return decoder.decode(memory, part.left(), part.top(), part.right(), part.bottom());
    }

    private int stride(int plane) {
        return (decoder.storedWidth(plane) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    private void describe(MemorySegment memory, Picture into) {
        int across = decoder.across();
        int down = decoder.down();
        Model model = decoder.planes() == 1 ? Model.GRAY : Model.YCBCR;
        into.begin(decoder.width(), decoder.height(), model, Upsampling.ofJpeg(across), Upsampling.ofJpeg(down));
        int origin = 0;
        for (int p = 0; p < decoder.planes(); p++) {
            int width = p == LUMA ? decoder.width() : (decoder.width() + across - 1) / across;
            int height = p == LUMA ? decoder.height() : (decoder.height() + down - 1) / down;
            int stride = stride(p);
            decoder.place(p, origin, stride);
            into.plane(p).set(memory, origin, stride, width, height);
            origin += stride * decoder.storedHeight(p);
        }
    }

    @Override
    public void close() {
        planes.close();
    }
}
