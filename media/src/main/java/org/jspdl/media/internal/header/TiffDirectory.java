package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspdl.input.DecodeException;

/// The first directory of a TIFF file: numbers by tag, each read within the file's bounds.
public final class TiffDirectory {
    public static final int WIDTH = 256;
    public static final int HEIGHT = 257;
    public static final int BITS = 258;
    public static final int COMPRESSION = 259;
    public static final int PHOTOMETRIC = 262;
    public static final int FILL_ORDER = 266;
    public static final int STRIP_OFFSETS = 273;
    public static final int SAMPLES = 277;
    public static final int ROWS_PER_STRIP = 278;
    public static final int STRIP_BYTE_COUNTS = 279;
    public static final int PLANAR_CONFIGURATION = 284;
    public static final int PREDICTOR = 317;
    public static final int COLOR_MAP = 320;
    public static final int TILE_WIDTH = 322;
    public static final int TILE_HEIGHT = 323;
    public static final int TILE_OFFSETS = 324;
    public static final int TILE_BYTE_COUNTS = 325;
    public static final int INK_SET = 332;
    public static final int EXTRA_SAMPLES = 338;
    public static final int SAMPLE_FORMAT = 339;
    public static final int JPEG_TABLES = 347;
    public static final int CHROMA_COEFFICIENTS = 529;
    public static final int CHROMA_SUBSAMPLING = 530;
    public static final int BLACK_AND_WHITE = 532;
    public static final int DNG_VERSION = 50706;

    private static final int ENTRY_BYTES = 12;
    private static final int BYTE = 1;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int RATIO = 5;
    private static final int RATIO_BYTES = 8;

    private final MemorySegment bytes;
    private final boolean littleEndian;
    private final long first;
    private final int entries;

    /// @throws DecodeException if the directory lies beyond the end
    public TiffDirectory(MemorySegment bytes) {
        this.bytes = bytes;
        littleEndian = HeaderBytes.is(bytes, 0, "II");
        long directory = number32(4);
        entries = Exif.number16(bytes, directory, littleEndian);
        first = directory + 2;
    }

    /// Whether numbers begin with their lowest byte.
    public boolean isLittleEndian() {
        return littleEndian;
    }

    /// Whether there is a tag.
    public boolean has(int tag) {
        return find(tag) >= 0;
    }

    /// Where the last entry of a tag begins; -1 if there is none.
    private long find(int tag) {
        for (int i = entries - 1; i >= 0; i--) {
            long entry = first + (long) ENTRY_BYTES * i;
            if (Exif.number16(bytes, entry, littleEndian) == tag) {
                return entry;
            }
        }
        return -1;
    }

    /// How many numbers a tag has.
    public long count(int tag) {
        long entry = find(tag);
        return entry < 0 ? 0 : number32(entry + 4);
    }

    /// The bytes of a tag, where they lie in the file; none if there is no such tag.
    ///
    /// @throws DecodeException if they lie beyond the end
    public MemorySegment data(int tag) {
        long entry = find(tag);
        if (entry < 0) {
            return MemorySegment.NULL;
        }
        long count = count(tag);
        long at = count <= 4 ? entry + 8 : number32(entry + 8);
        if (at > bytes.byteSize() || count > bytes.byteSize() - at) {
            throw DecodeException.at(at, "tag " + tag + " lies beyond the end");
        }
        return bytes.asSlice(at, count);
    }

    /// The first number of a tag, or `missing`; -1 if it is no whole number.
    public long value(int tag, long missing) {
        long[] values = values(tag, 1);
        return values.length == 0 ? missing : values[0];
    }

    /// The ratios or whole numbers of a tag, as many as there are in `missing`, which is given if there are none.
    public double[] ratios(int tag, double[] missing) {
        long entry = find(tag);
        if (entry < 0 || count(tag) < missing.length) {
            return missing;
        }
        if (Exif.number16(bytes, entry + 2, littleEndian) != RATIO) {
            return Arrays.stream(values(tag, missing.length)).asDoubleStream().toArray();
        }
        double[] ratios = new double[missing.length];
        long at = number32(entry + 8);
        for (int i = 0; i < ratios.length; i++, at += RATIO_BYTES) {
            long denominator = number32(at + 4);
            ratios[i] = denominator == 0 ? 0 : (double) number32(at) / denominator;
        }
        return ratios;
    }

    private long number32(long at) {
        return Exif.number32(bytes, at, littleEndian) & 0xFFFFFFFFL;
    }

    /// The numbers of a tag, at most `most`; -1 in place of what is no whole number.
    public long[] values(int tag, int most) {
        long entry = find(tag);
        if (entry < 0) {
            return new long[0];
        }
        long count = number32(entry + 4);
        int type = Exif.number16(bytes, entry + 2, littleEndian);
        int size = type == BYTE ? 1 : type == SHORT ? 2 : type == LONG ? 4 : 0;
        long[] values = new long[(int) Math.min(count, most)];
        if (size == 0) {
            Arrays.fill(values, -1);
            return values;
        }
        long at = count * size <= 4 ? entry + 8 : number32(entry + 8);
        for (int i = 0; i < values.length; i++, at += size) {
            values[i] = switch (size) {
                case 1 -> HeaderBytes.u8(bytes, at);
                case 2 -> Exif.number16(bytes, at, littleEndian);
                default -> number32(at);
            };
        }
        return values;
    }
}
