package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.jspdl.input.DecodeException;

/// Refuses TIFF files that FFmpeg decodes to wrong pixels, or that nobody has compared yet, by the tag and its value.
///
/// FFmpeg's decoder ignores what it doesn't know: of a file in tiles it makes a flat picture, without an error.
public final class TiffSupport {
    private static final int NONE = 1;
    private static final int CCITT_RLE = 2;
    private static final int CCITT_T4 = 3;
    private static final int CCITT_T6 = 4;
    private static final int LZW = 5;
    private static final int DEFLATE = 8;
    private static final int PACK_BITS = 32773;
    private static final int OLD_DEFLATE = 32946;

    private static final int WHITE_IS_ZERO = 0;
    private static final int BLACK_IS_ZERO = 1;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int CMYK = 5;

    private static final int UNSIGNED = 1;
    private static final int FLOAT = 3;
    private static final int UNDEFINED = 4;

    private static final int DIFFERENCES = 2;
    private static final int LOWEST_BIT_FIRST = 2;
    private static final int SEPARATE_PLANES = 2;
    private static final int MOST_SAMPLES = 4;
    private static final int MOST_STRIPS = 1 << 16;

    private final MemorySegment bytes;
    private final TiffDirectory directory;
    private final int compression;
    private final int photometric;
    private final int samples;
    private final int bits;
    private final boolean isFloat;

    private TiffSupport(MemorySegment bytes) {
        this.bytes = bytes;
        directory = new TiffDirectory(bytes);
        compression = number(TiffDirectory.COMPRESSION, NONE);
        photometric = number(TiffDirectory.PHOTOMETRIC, -1);
        samples = number(TiffDirectory.SAMPLES, 1);
        bits = number(TiffDirectory.BITS, 1);
        isFloat = number(TiffDirectory.SAMPLE_FORMAT, UNSIGNED) == FLOAT;
    }

    /// Refuses a TIFF file that would not be decoded right.
    ///
    /// @throws DecodeException naming what is not supported
    public static void check(MemorySegment bytes) {
        TiffSupport file = new TiffSupport(bytes);
        file.checkStructure();
        file.checkCompression();
        file.checkSamples();
        file.checkPredictor();
        file.checkOrders();
        file.checkLzw();
    }

    private int number(int tag, int missing) {
        return (int) Math.min(directory.value(tag, missing), Integer.MAX_VALUE);
    }

    private void checkStructure() {
        for (int tag = TiffDirectory.TILE_WIDTH; tag <= TiffDirectory.TILE_BYTE_COUNTS; tag++) {
            if (directory.has(tag)) {
                throw refused("tiles", tag, directory.value(tag, -1));
            }
        }
        if (directory.has(TiffDirectory.DNG_VERSION)) {
            throw refused("DNG", TiffDirectory.DNG_VERSION, directory.value(TiffDirectory.DNG_VERSION, -1));
        }
    }

    private void checkCompression() {
        boolean known = switch (compression) {
            case NONE, LZW, DEFLATE, OLD_DEFLATE, PACK_BITS -> true;
            case CCITT_RLE, CCITT_T4, CCITT_T6 -> bits == 1 && samples == 1 && isGray();
            default -> false;
        };
        if (!known) {
            throw refused(compressionName() + " compression", TiffDirectory.COMPRESSION, compression);
        }
    }

    private String compressionName() {
        return switch (compression) {
            case CCITT_RLE, CCITT_T4, CCITT_T6 -> "CCITT";
            case 6 -> "old JPEG";
            case 7 -> "JPEG";
            case 34712 -> "JPEG 2000";
            case 34925 -> "LZMA";
            case 50000 -> "Zstandard";
            case 50001 -> "WebP";
            default -> "unknown";
        };
    }

    private boolean isGray() {
        return photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO;
    }

    private void checkSamples() {
        if (photometric < 0) {
            throw refused("no photometric interpretation", TiffDirectory.PHOTOMETRIC, photometric);
        }
        boolean count = switch (photometric) {
            case WHITE_IS_ZERO, BLACK_IS_ZERO -> samples == 1 || samples == 2;
            case RGB -> samples == 3 || samples == MOST_SAMPLES;
            case PALETTE -> samples == 1;
            case CMYK -> samples == MOST_SAMPLES;
            default -> throw refused("photometric interpretation", TiffDirectory.PHOTOMETRIC, photometric);
        };
        if (!count) {
            throw refused("samples a pixel", TiffDirectory.SAMPLES, samples);
        }
        checkSampleFormat();
        long given = directory.count(TiffDirectory.BITS);
        long[] depths = directory.values(TiffDirectory.BITS, MOST_SAMPLES);
        if ((given > 1 && given != samples) || LongStream.of(depths).anyMatch(depth -> depth != bits)) {
            throw refused("samples of several sizes", TiffDirectory.BITS, bits);
        }
        boolean known = switch (bits) {
            case 1, 2, 4 -> samples == 1;
            case 8 -> true;
            // FFmpeg reads 16 bits of CMYK in one byte order only.
            case 16 -> photometric != PALETTE && (photometric != CMYK || !directory.isLittleEndian());
            case 12 ->
                samples == 1 && photometric == BLACK_IS_ZERO && compression != DEFLATE && compression != OLD_DEFLATE;
            case 32 -> isFloat;
            default -> false;
        };
        if (!known) {
            throw refused("bits a sample", TiffDirectory.BITS, bits);
        }
        if (photometric == CMYK && number(TiffDirectory.INK_SET, 1) != 1) {
            throw refused("inks other than CMYK", TiffDirectory.INK_SET, number(TiffDirectory.INK_SET, 1));
        }
    }

    private void checkSampleFormat() {
        long[] formats = directory.values(TiffDirectory.SAMPLE_FORMAT, MOST_SAMPLES);
        for (long format : formats) {
            boolean known = (format == UNSIGNED && !isFloat)
                    || (format == UNDEFINED && !isFloat)
                    || (format == FLOAT && isFloat && bits == 32 && photometric == RGB);
            if (!known) {
                throw refused("samples of this format", TiffDirectory.SAMPLE_FORMAT, format);
            }
        }
    }

    private void checkPredictor() {
        int predictor = number(TiffDirectory.PREDICTOR, 1);
        boolean compressed = compression == LZW || compression == DEFLATE || compression == OLD_DEFLATE;
        boolean known = predictor == 1 || (predictor == DIFFERENCES && compressed && (bits == 8 || bits == 16));
        if (!known) {
            throw refused("predictor", TiffDirectory.PREDICTOR, predictor);
        }
    }

    private void checkOrders() {
        int planes = number(TiffDirectory.PLANAR_CONFIGURATION, 1);
        boolean arranged = planes == 1 || (planes == SEPARATE_PLANES && (samples == 1 || photometric == RGB));
        if (!arranged) {
            throw refused("planar configuration", TiffDirectory.PLANAR_CONFIGURATION, planes);
        }
        int order = number(TiffDirectory.FILL_ORDER, 1);
        boolean raw = compression == NONE || compression == PACK_BITS;
        boolean ordered = order == 1 || (order == LOWEST_BIT_FIRST && (bits >= 8 || !raw || (bits == 1 && isGray())));
        if (!ordered) {
            throw refused("bit order", TiffDirectory.FILL_ORDER, order);
        }
    }

    /// LZW as it was before TIFF 6.0 begins every strip with a code of other bits.
    private void checkLzw() {
        if (compression != LZW) {
            return;
        }
        boolean reversed = number(TiffDirectory.FILL_ORDER, 1) == LOWEST_BIT_FIRST;
        for (long offset : directory.values(TiffDirectory.STRIP_OFFSETS, MOST_STRIPS)) {
            if (offset + 1 < bytes.byteSize()
                    && HeaderBytes.u8(bytes, offset) == 0
                    && (HeaderBytes.u8(bytes, offset + 1) & (reversed ? 0x80 : 0x01)) != 0) {
                throw refused("LZW compression of before TIFF 6.0", TiffDirectory.COMPRESSION, compression);
            }
        }
    }

    private static DecodeException refused(String what, int tag, long value) {
        return DecodeException.because(String.format(
                "TIFF with %s (tag %d: %s) is not supported; convert it, for example with `tiffcp -s -c lzw -f msb2lsb`",
                what, tag, value < 0 ? "missing" : Long.toString(value)));
    }
}
