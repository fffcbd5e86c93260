package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;

/// Tells the format of an image from its first bytes and reads its header, without decoding.
public final class ImageHeaders {
    /// Values of a BMP file's compression: masks say where colors are, or colors and alpha.
    private static final int BMP_MASKS = 3;

    private static final int BMP_ALPHA_MASKS = 6;
    /// Bytes of the smallest header that has a mask for alpha.
    private static final int BMP_WITH_ALPHA_MASK = 56;

    private ImageHeaders() {}

    /// Fills `header` from the encoded image.
    ///
    /// @throws DecodeException if it is empty, of an unknown format, or its header is damaged
    public static void read(MemorySegment bytes, ImageHeader header) {
        if (bytes.byteSize() == 0) {
            throw DecodeException.because("the file is empty");
        }
        ImageFormat format = of(bytes).orElseThrow(() -> unknown(bytes));
        header.begin(format);
        try {
            switch (format) {
                case JPEG -> JpegHeader.read(bytes, header);
                case PNG -> PngHeader.read(bytes, header);
                case WEBP -> WebpHeader.read(bytes, header);
                case GIF -> GifHeader.read(bytes, header);
                case BMP -> bmp(bytes, header);
                case TIFF -> TiffHeader.read(bytes, header);
                case AVIF, HEIC -> HeifHeader.read(bytes, header);
            }
        } catch (DecodeException damaged) {
            throw damaged.within(format.label());
        }
        if (header.width < 1 || header.height < 1) {
            throw DecodeException.because(
                    format.label() + " of " + header.width + " x " + header.height + " pixels has no pixels");
        }
    }

    private static DecodeException unknown(MemorySegment bytes) {
        Optional<String> name = OtherFormats.name(bytes);
        if (name.isPresent()) {
            return DecodeException.because(name.get() + " is not decoded; convert it to one of "
                    + Stream.of(ImageFormat.values()).map(ImageFormat::label).collect(Collectors.joining(", ")));
        }
        byte[] first = bytes.asSlice(0, Math.min(8, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE);
        return DecodeException.because("not an image of a known format: it begins with "
                + HexFormat.ofDelimiter(" ").formatHex(first));
    }

    private static void bmp(MemorySegment bytes, ImageHeader header) {
        if (HeaderBytes.le32(bytes, 14) == 12) {
            header.size(HeaderBytes.le16(bytes, 18), HeaderBytes.le16(bytes, 20), 3, 8);
        } else {
            int height = HeaderBytes.le32(bytes, 22);
            header.size(HeaderBytes.le32(bytes, 18), height < 0 ? -height : height, hasAlphaMask(bytes) ? 4 : 3, 8);
        }
    }

    /// Whether pixels of 32 bits have alpha; without a mask for it, eight of them are of no use.
    private static boolean hasAlphaMask(MemorySegment bytes) {
        int compression = HeaderBytes.le32(bytes, 30);
        boolean masks = compression == BMP_MASKS && HeaderBytes.le32(bytes, 14) >= BMP_WITH_ALPHA_MASK;
        return HeaderBytes.le16(bytes, 28) == 32
                && (masks || compression == BMP_ALPHA_MASKS)
                && HeaderBytes.le32(bytes, 66) != 0;
    }

    /// The format that a file begins as; empty for other files.
    public static Optional<ImageFormat> of(MemorySegment bytes) {
        if (HeaderBytes.is(bytes, 0, "\u00FF\u00D8")) {
            return Optional.of(ImageFormat.JPEG);
        }
        if (HeaderBytes.is(bytes, 0, "\u0089PNG\r\n\u001A\n")) {
            return Optional.of(ImageFormat.PNG);
        }
        if (HeaderBytes.is(bytes, 0, "RIFF") && HeaderBytes.is(bytes, 8, "WEBP")) {
            return Optional.of(ImageFormat.WEBP);
        }
        if (HeaderBytes.is(bytes, 0, "GIF87a") || HeaderBytes.is(bytes, 0, "GIF89a")) {
            return Optional.of(ImageFormat.GIF);
        }
        if (HeaderBytes.is(bytes, 0, "BM")) {
            return Optional.of(ImageFormat.BMP);
        }
        if (HeaderBytes.is(bytes, 0, "II*\0") || HeaderBytes.is(bytes, 0, "MM\0*")) {
            return Optional.of(ImageFormat.TIFF);
        }
        return HeifHeader.format(bytes);
    }
}
