package org.jspdl.media.internal.tiff;

import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.TiffDirectory;
import org.jspecify.annotations.Nullable;

/// How the samples of a TIFF file lie in it, checked against the file's bounds and against what [TiffReader] knows;
/// anything else is refused by tag and value.
public final class TiffLayout {
    static final int NONE = 1;
    static final int LZW = 5;
    static final int JPEG = 7;
    static final int DEFLATE = 8;
    static final int PACK_BITS = 32773;
    static final int OLD_DEFLATE = 32946;
    private static final int CCITT_RLE = 2;
    private static final int CCITT_T6 = 4;

    static final int WHITE_IS_ZERO = 0;
    static final int BLACK_IS_ZERO = 1;
    static final int RGB = 2;
    static final int PALETTE = 3;
    static final int CMYK = 5;
    static final int YCBCR = 6;

    private static final int UNSIGNED = 1;
    private static final int FLOAT = 3;
    private static final int UNDEFINED = 4;
    private static final int ASSOCIATED_ALPHA = 1;
    /// What samples beyond the colors are where nothing says so, as other programs have it.
    private static final int ALPHA = 2;

    static final int DIFFERENCES = 2;
    static final int FLOAT_DIFFERENCES = 3;
    private static final int SEPARATE_PLANES = 2;
    private static final int MOST_SAMPLES = 16;
    private static final int MOST_TILE_SIDE = 1 << 16;
    /// So large may a piece be however small the picture.
    private static final long LEAST_CHUNK_BYTES = 1L << 26;

    final int width;
    final int height;
    final int samples;
    final int bits;
    final int photometric;
    final int compression;
    final int predictor;
    final boolean reversedBits;
    final boolean littleEndian;
    final boolean isFloat;
    final boolean separatePlanes;
    /// Whether the sample after the colors is alpha, and whether colors were multiplied by it.
    final boolean alpha;
    final boolean premultiplied;
    final int chunkWidth;
    final int chunkHeight;
    final long[] offsets;
    final long[] lengths;
    /// Red, green and blue of each color of a palette, one after the other, 16 bits.
    final long[] palette;

    /// How luminance and chroma lie, if samples are that and no JPEG picture.
    final @Nullable ChromaUnits chroma;

    private final TiffDirectory directory;

    /// @throws DecodeException naming what is not supported, or what lies beyond the end of the file
    public TiffLayout(MemorySegment file, int width, int height) {
        this.width = width;
        this.height = height;
        directory = new TiffDirectory(file);
        littleEndian = directory.isLittleEndian();
        compression = number(TiffDirectory.COMPRESSION, NONE);
        photometric = number(TiffDirectory.PHOTOMETRIC, -1);
        samples = number(TiffDirectory.SAMPLES, 1);
        bits = number(TiffDirectory.BITS, 1);
        predictor = isPredictive() ? number(TiffDirectory.PREDICTOR, 1) : 1;
        isFloat = number(TiffDirectory.SAMPLE_FORMAT, UNSIGNED) == FLOAT;
        reversedBits = flag("bit order", TiffDirectory.FILL_ORDER);
        separatePlanes = flag("planar configuration", TiffDirectory.PLANAR_CONFIGURATION) && samples > 1;
        checkKind();
        checkCompression();
        checkColors();
        checkDepth();
        checkPredictor();
        chroma = photometric == YCBCR && compression != JPEG ? chroma() : null;
        int extra = number(TiffDirectory.EXTRA_SAMPLES, ALPHA);
        alpha = samples > colorPlanes() && photometric != CMYK && extra != 0;
        premultiplied = alpha && extra == ASSOCIATED_ALPHA;
        palette = photometric == PALETTE ? palette() : new long[0];
        boolean tiled = directory.has(TiffDirectory.TILE_WIDTH);
        chunkWidth = tiled ? side(TiffDirectory.TILE_WIDTH) : width;
        chunkHeight = tiled
                ? side(TiffDirectory.TILE_HEIGHT)
                : Math.clamp(directory.value(TiffDirectory.ROWS_PER_STRIP, height), 1, height);
        long most = LEAST_CHUNK_BYTES + 2L * samplesInChunk() * Math.ceilDiv(bits, Byte.SIZE) * width * height;
        if (rowBytes() * Math.min(chunkHeight, height) > most) {
            throw DecodeException.because(String.format(
                    "TIFF of %d x %d pixels in pieces of %d x %d", width, height, chunkWidth, chunkHeight));
        }
        int offsetTag = tiled ? TiffDirectory.TILE_OFFSETS : TiffDirectory.STRIP_OFFSETS;
        int countTag = tiled ? TiffDirectory.TILE_BYTE_COUNTS : TiffDirectory.STRIP_BYTE_COUNTS;
        long needed = (long) across() * down() * planes();
        if (needed > file.byteSize() || directory.count(offsetTag) < needed) {
            throw DecodeException.because(
                    "TIFF of " + needed + " pieces says where " + directory.count(offsetTag) + " lie");
        }
        offsets = directory.values(offsetTag, (int) needed);
        lengths = lengths(directory.values(countTag, (int) needed), file.byteSize());
    }

    private int number(int tag, int missing) {
        return (int) Math.min(directory.value(tag, missing), Integer.MAX_VALUE);
    }

    /// Whether a tag that may be 1 or 2 is 2.
    private boolean flag(String what, int tag) {
        int value = number(tag, 1);
        if (value != 1 && value != SEPARATE_PLANES) {
            throw refused(what, tag, value);
        }
        return value == SEPARATE_PLANES;
    }

    private int side(int tag) {
        long value = directory.value(tag, 0);
        if (value < 1 || value > MOST_TILE_SIDE) {
            throw refused("tiles of this size", tag, value);
        }
        return (int) value;
    }

    private long[] lengths(long[] given, long fileBytes) {
        if (given.length == offsets.length) {
            return given;
        }
        if (given.length != 0 || offsets.length != 1) {
            throw DecodeException.because(
                    "TIFF of " + offsets.length + " pieces says how long " + given.length + " are");
        }
        return new long[] {fileBytes - offsets[0]};
    }

    private void checkKind() {
        if (directory.has(TiffDirectory.DNG_VERSION)) {
            throw refused("DNG", TiffDirectory.DNG_VERSION, directory.value(TiffDirectory.DNG_VERSION, -1));
        }
    }

    /// Whether pixels are compressed as by a fax machine, which [TiffReader] does not read.
    public boolean isFax() {
        return compression >= CCITT_RLE && compression <= CCITT_T6;
    }

    private void checkCompression() {
        boolean known = switch (compression) {
            case NONE, LZW, DEFLATE, OLD_DEFLATE, PACK_BITS -> true;
            case JPEG -> isKnownJpeg();
            default -> isFax() && bits == 1 && samples == 1 && isGray() && !directory.has(TiffDirectory.TILE_WIDTH);
        };
        if (!known) {
            throw refused(compressionName() + " compression", TiffDirectory.COMPRESSION, compression);
        }
    }

    private boolean isKnownJpeg() {
        boolean colors = isGray() || photometric == RGB || photometric == YCBCR;
        return bits == Byte.SIZE && !separatePlanes && colors && samples == colorPlanes();
    }

    /// Pixels in a row of a piece.
    public int chunkWidth() {
        return chunkWidth;
    }

    /// Rows of a piece, but for the last ones.
    public int chunkHeight() {
        return chunkHeight;
    }

    private String compressionName() {
        return switch (compression) {
            case CCITT_RLE, 3, CCITT_T6 -> "CCITT";
            case 6 -> "old JPEG";
            case JPEG -> "this kind of JPEG";
            case 34712 -> "JPEG 2000";
            case 34925 -> "LZMA";
            case 50000 -> "Zstandard";
            case 50001 -> "WebP";
            default -> "unknown";
        };
    }

    /// Whether a pixel is one value of gray, and maybe alpha.
    public boolean isGray() {
        return photometric == WHITE_IS_ZERO || photometric == BLACK_IS_ZERO;
    }

    /// Whether gray values count from white down.
    public boolean isWhiteZero() {
        return photometric == WHITE_IS_ZERO;
    }

    /// Whether a pixel is the number of a color.
    public boolean isPalette() {
        return photometric == PALETTE;
    }

    /// Whether a pixel is how much there is of four inks.
    public boolean isCmyk() {
        return photometric == CMYK;
    }

    /// Whether pieces are JPEG pictures of luminance and chroma, rather than of gray or of the colors themselves.
    public boolean isJpegOfChroma() {
        return photometric == YCBCR;
    }

    /// What is to come before each piece that is a JPEG picture; nothing if it has all tables itself.
    public MemorySegment jpegTables() {
        return directory.data(TiffDirectory.JPEG_TABLES);
    }

    /// Whether there is alpha behind the colors.
    public boolean hasAlpha() {
        return alpha;
    }

    /// Whether colors were multiplied by their alpha.
    public boolean isPremultiplied() {
        return premultiplied;
    }

    /// Red (0), green (1) or blue (2) of color `index` of the palette, 16 bits.
    public int palette(int channel, int index) {
        return (int) palette[(channel << bits) + index];
    }

    /// How many samples of a pixel are its color.
    public int colorPlanes() {
        return switch (photometric) {
            case RGB, YCBCR -> 3;
            case CMYK -> 4;
            default -> 1;
        };
    }

    private void checkColors() {
        boolean known = switch (photometric) {
            case WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, CMYK, YCBCR -> true;
            default -> false;
        };
        if (!known) {
            throw refused("photometric interpretation", TiffDirectory.PHOTOMETRIC, photometric);
        }
        if (samples < colorPlanes() || samples > MOST_SAMPLES || (photometric == PALETTE && samples > 1)) {
            throw refused("samples a pixel", TiffDirectory.SAMPLES, samples);
        }
        // samples that are not declared may be anything
        boolean declared = directory.count(TiffDirectory.EXTRA_SAMPLES) == samples - colorPlanes();
        if (samples > colorPlanes() + 1 && !declared) {
            throw refused("samples a pixel", TiffDirectory.SAMPLES, samples);
        }
        if (photometric == CMYK && number(TiffDirectory.INK_SET, 1) != 1) {
            throw refused("inks other than CMYK", TiffDirectory.INK_SET, number(TiffDirectory.INK_SET, 1));
        }
    }

    private ChromaUnits chroma() {
        if (bits != Byte.SIZE || samples != colorPlanes()) {
            throw refused("YCbCr of this depth", TiffDirectory.BITS, bits);
        }
        if (separatePlanes) {
            throw refused("YCbCr in planes", TiffDirectory.PLANAR_CONFIGURATION, SEPARATE_PLANES);
        }
        if (predictor != 1) {
            throw refused("YCbCr by a predictor", TiffDirectory.PREDICTOR, predictor);
        }
        return ChromaUnits.of(directory);
    }

    private void checkDepth() {
        for (long format : directory.values(TiffDirectory.SAMPLE_FORMAT, MOST_SAMPLES)) {
            boolean known = isFloat ? format == FLOAT : format == UNSIGNED || format == UNDEFINED;
            if (!known) {
                throw refused("samples of this format", TiffDirectory.SAMPLE_FORMAT, format);
            }
        }
        long given = directory.count(TiffDirectory.BITS);
        long[] depths = directory.values(TiffDirectory.BITS, MOST_SAMPLES);
        if ((given > 1 && given != samples) || LongStream.of(depths).anyMatch(depth -> depth != bits)) {
            throw refused("samples of several sizes", TiffDirectory.BITS, bits);
        }
        boolean known = isFloat
                ? bits == 16 || bits == 32 || bits == 64
                : (bits >= 1 && bits <= 16) || bits == 24 || bits == 32;
        if (!known || (photometric == PALETTE && (bits > 8 || isFloat))) {
            throw refused("bits a sample", TiffDirectory.BITS, bits);
        }
    }

    /// Whether a predictor counts; with other compressions libtiff ignores the tag.
    private boolean isPredictive() {
        return compression == LZW || compression == DEFLATE || compression == OLD_DEFLATE;
    }

    private void checkPredictor() {
        boolean known = switch (predictor) {
            case 1 -> true;
            case DIFFERENCES -> bits == 8 || bits == 16 || bits == 32 || bits == 64;
            case FLOAT_DIFFERENCES -> isFloat;
            default -> false;
        };
        if (!known) {
            throw refused("predictor", TiffDirectory.PREDICTOR, predictor);
        }
    }

    private long[] palette() {
        int entries = 3 << bits;
        if (directory.count(TiffDirectory.COLOR_MAP) < entries) {
            throw DecodeException.because("TIFF with a palette of " + directory.count(TiffDirectory.COLOR_MAP)
                    + " values; " + entries + " are needed");
        }
        return directory.values(TiffDirectory.COLOR_MAP, entries);
    }

    /// Pieces beside each other.
    int across() {
        return Math.ceilDiv(width, chunkWidth);
    }

    /// Pieces below each other.
    int down() {
        return Math.ceilDiv(height, chunkHeight);
    }

    /// How often the pieces of the whole picture follow each other.
    int planes() {
        return separatePlanes ? samples : 1;
    }

    /// Samples beside each other in a piece, for one pixel.
    int samplesInChunk() {
        return separatePlanes ? 1 : samples;
    }

    /// Bytes of a row of a piece, of colors where it has chroma in units.
    long rowBytes() {
        return Math.ceilDiv((long) chunkWidth * samplesInChunk() * bits, Byte.SIZE);
    }

    static DecodeException refused(String what, int tag, long value) {
        return DecodeException.because(String.format(
                "TIFF with %s (tag %d: %s) is not supported; convert it, for example with `tiffcp -s -c lzw`",
                what, tag, value < 0 ? "missing" : Long.toString(value)));
    }
}
