package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.GrayBuffers;
import org.jspdl.media.internal.ffmpeg.damage.UnwrittenBlocks;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.JpegHeader;
import org.jspdl.media.internal.natives.Scratch;
import org.jspdl.media.internal.resample.Alpha;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;
import org.jspecify.annotations.Nullable;

/// Every format through FFmpeg's decoders.
///
/// Each image gets a codec context of its own: decoders keep tables from one picture to the next, and a damaged file
/// must not be decoded with another file's tables.
public final class FfmpegCodec implements ImageCodec {
    private static final long MAX_PIXELS = Integer.MAX_VALUE;
    private static final int JPEG_BITS = 8;
    /// By how much the blocks of a coded picture may reach beyond it.
    private static final long CODED_EDGE = 128;

    private final Scratch small = new Scratch();
    private final MemorySegment slot;
    private final MemorySegment frame;
    private final MemorySegment alphaFrame;
    private final MemorySegment tileFrame;
    private final MemorySegment packet;
    private final FrameReader reader = new FrameReader();
    private final WebpStill still = new WebpStill();
    private final HevcStill hevc = new HevcStill();
    private final @Nullable MemorySegment[] decoders = new MemorySegment[ImageFormat.values().length];
    private boolean closed;

    /// @throws IllegalStateException if FFmpeg's libraries cannot be used
    public FfmpegCodec() {
        FfmpegLibraries.require();
        slot = small.atLeast(8).asSlice(0, 8);
        frame = AvFrame.alloc();
        alphaFrame = AvFrame.alloc();
        tileFrame = AvFrame.alloc();
        packet = AvPacket.alloc();
    }

    /// The library with its version.
    public static String describe() {
        FfmpegLibraries.require();
        return "ffmpeg (libavcodec " + AvCodec.version() + ")";
    }

    @Override
    public void decode(
            MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
        boolean keepsAlpha = mode.keepsAlpha();
        if (header.isPlaced()) {
            ImageHeader alone = header.withoutCanvas();
            decodeFrame(encoded, alone, mode, false);
            reader.readOntoCanvas(frame, alone, header, keepsAlpha && header.channels == 4, into);
            return;
        }
        boolean separate = needsAlpha(header, mode);
        decodeFrame(encoded, header, mode, separate);
        if (separate) {
            reader.readWithAlpha(frame, alphaFrame, header, into);
            if (header.premultiplied) {
                Alpha.divide(into);
            }
            if (!keepsAlpha) {
                into.dropAlpha();
            }
        } else {
            reader.read(frame, header, keepsAlpha, into);
        }
    }

    @Override
    public void decodeHighBitDepth(
            MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
        boolean separate = needsAlpha(header, mode);
        decodeFrame(encoded, header, mode, separate);
        if (separate) {
            reader.readHighBitDepthWithAlpha(frame, alphaFrame, header, into);
        } else {
            reader.readHighBitDepth(frame, header, into);
        }
    }

    /// Whether the picture with the alpha has to be decoded: for itself, or for colors that were multiplied with
    /// it.
    private static boolean needsAlpha(ImageHeader header, DecodeMode mode) {
        return header.hasSeparateAlpha() && (mode.keepsAlpha() || header.premultiplied);
    }

    private void decodeFrame(MemorySegment encoded, ImageHeader header, DecodeMode mode, boolean withAlpha) {
        if (header.format == ImageFormat.JPEG) {
            if (header.bitDepth != JPEG_BITS) {
                throw failed(header, encoded, header.bitDepth + " bits a channel; 8 are supported");
            }
            JpegHeader.checkScans(encoded);
        }
        boolean keepDamaged = mode.keepsDamaged();
        switch (header.format) {
            case AVIF, HEIC -> {
                decodeParts(encoded, header, header.picture, header.tiles, keepDamaged, frame);
                if (header.matrix >= 0) {
                    // what the file says counts more than what the coded picture says (ISO
                    // 23000-22, 4.2.3)
                    AvFrame.colors(frame, header.matrix, header.fullRange);
                }
                crop(header, frame);
                if (withAlpha) {
                    decodeParts(encoded, header, header.alpha, header.alphaTiles, keepDamaged, alphaFrame);
                    crop(header, alphaFrame);
                    if (header.format == ImageFormat.HEIC) {
                        // alpha has the whole range, and HEVC does not say so (ISO 23000-22,
                        // 7.3.5.2)
                        AvFrame.colors(alphaFrame, AvFrame.colorSpace(alphaFrame), true);
                    }
                }
            }
            case WEBP -> {
                MemorySegment data = header.picture.length() > 0 ? still.of(encoded, header) : encoded;
                decodeFrame(data, header, header.width, header.height, keepDamaged, frame);
            }
            case JPEG, PNG, GIF, BMP, TIFF ->
                decodeFrame(encoded, header, header.width, header.height, keepDamaged, frame);
        }
    }

    /// Decodes one part of the file, or if there are tiles all of them into one frame.
    private void decodeParts(
            MemorySegment encoded,
            ImageHeader header,
            ImageHeader.Part whole,
            ImageHeader.Tiles tiles,
            boolean keepDamaged,
            MemorySegment into) {
        if (tiles.columns() == 0) {
            decodePart(encoded, header, whole, header.codedWidth, header.codedHeight, keepDamaged, into);
            return;
        }
        for (int i = 0; i < tiles.parts().size(); i++) {
            ImageHeader.Part part = tiles.parts().get(i);
            decodePart(encoded, header, part, tiles.width(), tiles.height(), keepDamaged, tileFrame);
            if (i == 0) {
                TiledFrame.begin(tileFrame, header.codedWidth, header.codedHeight, into);
            }
            int column = i % tiles.columns();
            int row = i / tiles.columns();
            TiledFrame.put(tileFrame, column * tiles.width(), row * tiles.height(), into);
        }
        AvFrame.unref(tileFrame);
    }

    private void decodePart(
            MemorySegment encoded,
            ImageHeader header,
            ImageHeader.Part part,
            int width,
            int height,
            boolean keepDamaged,
            MemorySegment into) {
        ImageHeader.Part setup = part.setup();
        MemorySegment data = setup == null ? part.of(encoded) : hevc.of(encoded, part, setup);
        decodeFrame(data, header, width, height, keepDamaged, into);
        AvFrame.withoutRangeInFormat(into);
    }

    /// Leaves of a frame what is shown of it.
    private static void crop(ImageHeader header, MemorySegment frame) {
        boolean whole = header.width == header.codedWidth && header.height == header.codedHeight;
        if (!whole && !AvFrame.crop(frame, header.left, header.top, header.width, header.height)) {
            throw DecodeException.because(String.format(
                    "%s: its clean aperture begins between the samples of chroma, at %d, %d",
                    header.format.label(), header.left, header.top));
        }
    }

    private void decodeFrame(
            MemorySegment data, ImageHeader header, int width, int height, boolean keepDamaged, MemorySegment into) {
        AvFrame.unref(into);
        if (data.byteSize() > Integer.MAX_VALUE - 64) {
            throw failed(header, data, "the picture is too large");
        }
        MemorySegment decoder = decoder(header.format);
        AvPacket.borrow(packet, data, (int) data.byteSize());
        int strictness = keepDamaged ? AvCodec.LENIENT : strictness(header.format);
        // FFmpeg does not notice that slices of HEVC are missing
        boolean marks = !keepDamaged && header.format == ImageFormat.HEIC;
        GrayBuffers.Filling filling = marks
                ? GrayBuffers.Filling.MARKS
                : keepDamaged ? GrayBuffers.Filling.GRAY : GrayBuffers.Filling.NOTHING;
        long most = header.isHeif() ? (width + CODED_EDGE) * (height + CODED_EDGE) : MAX_PIXELS;
        int status = AvPicture.decode(decoder, packet, into, most, strictness, filling, slot);
        if (status < 0) {
            throw failed(header, data, AvCodec.errorText(status));
        }
        if (AvFrame.isDamaged(into) && !keepDamaged) {
            throw failed(header, data, "the data is damaged");
        }
        Optional<String> unwritten = marks ? UnwrittenBlocks.first(into) : Optional.empty();
        if (unwritten.isPresent()) {
            throw failed(header, data, "a part of the picture is missing, from " + unwritten.get() + " on");
        }
        if (AvFrame.width(into) != width || AvFrame.height(into) != height) {
            throw failed(
                    header,
                    data,
                    "the header says " + width + " x " + height + " pixels, the data " + AvFrame.width(into) + " x "
                            + AvFrame.height(into));
        }
    }

    private MemorySegment decoder(ImageFormat format) {
        MemorySegment known = decoders[format.ordinal()];
        if (known != null) {
            return known;
        }
        MemorySegment decoder = AvCodec.findDecoder(codec(format));
        if (decoder.address() == 0) {
            throw DecodeException.because(format.label() + ": this build of FFmpeg has no decoder for it");
        }
        decoders[format.ordinal()] = decoder;
        return decoder;
    }

    private static DecodeException failed(ImageHeader header, MemorySegment encoded, String reason) {
        return DecodeException.because(
                String.format("%s of %,d bytes: %s", header.format.label(), encoded.byteSize(), reason));
    }

    /// FFmpeg's strictest refuses TIFF files with tags that it does not know, such as those that OpenCV writes.
    private static int strictness(ImageFormat format) {
        return format == ImageFormat.TIFF ? AvCodec.CAREFUL : AvCodec.STRICT;
    }

    private static int codec(ImageFormat format) {
        return switch (format) {
            case JPEG -> AvCodec.MJPEG;
            case PNG -> AvCodec.PNG;
            case WEBP -> AvCodec.WEBP;
            case GIF -> AvCodec.GIF;
            case BMP -> AvCodec.BMP;
            case TIFF -> AvCodec.TIFF;
            case AVIF -> AvCodec.AV1;
            case HEIC -> AvCodec.HEVC;
        };
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            AvFrame.free(frame, slot);
            AvFrame.free(alphaFrame, slot);
            AvFrame.free(tileFrame, slot);
            AvPacket.free(packet, slot);
            reader.close();
            still.close();
            hevc.close();
            small.close();
        }
    }
}
