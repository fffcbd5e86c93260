package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;

/// Reads the header of an AVIF file (ISO 23000-22) or of a HEIC file (ISO 23008-12, annex B): finds the primary
/// picture, its size, depth and orientation, the picture of its alpha, and the tiles where one of them is a grid.
final class HeifHeader {
    /// More tiles than this are not read: every one is looked up in a table of the file.
    private static final int MOST_TILES = 256;
    private static final List<String> AVIF = List.of("avif", "avis");
    private static final List<String> HEIC = List.of("heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs");

    private final MemorySegment bytes;
    private final HeifItems items;
    private final ImageHeader header;

    private HeifHeader(MemorySegment bytes, ImageHeader header) {
        this.bytes = bytes;
        this.items = new HeifItems(bytes, header.format);
        this.header = header;
    }

    /// AVIF or HEIC, if a file says that it is that, alone or among other things.
    static Optional<ImageFormat> format(MemorySegment bytes) {
        if (IsoBoxes.hasBrand(bytes, AVIF)) {
            return Optional.of(ImageFormat.AVIF);
        }
        return IsoBoxes.hasBrand(bytes, HEIC) ? Optional.of(ImageFormat.HEIC) : Optional.empty();
    }

    static void read(MemorySegment bytes, ImageHeader header) {
        new HeifHeader(bytes, header).read();
    }

    private void read() {
        long primary = items.primary();
        HeifItems.Item item = items.properties(primary);
        long alpha = items.alphaOf(primary);
        header.coded(item.width, item.height);
        header.size(item.width, item.height, item.channels == 1 ? 1 : 3, item.depth);
        header.orientation = item.orientation();
        header.matrix = item.matrix;
        header.fullRange = item.fullRange;
        if (item.coded) {
            header.picture = part(primary, item);
        } else {
            header.tiles = tiles(primary);
        }
        if (alpha >= 0) {
            header.channels++;
            header.premultiplied = items.isPremultiplied(primary, alpha);
            HeifItems.Item opacity = items.properties(alpha);
            if (opacity.coded) {
                header.alpha = part(alpha, opacity);
            } else {
                header.alphaTiles = tiles(alpha);
            }
        }
        if (item.aperture.length > 0) {
            shown(item.aperture);
        }
    }

    private ImageHeader.Part part(long number, HeifItems.Item item) {
        ImageHeader.Part data = items.data(number);
        return new ImageHeader.Part(data.offset(), data.length(), item.setup);
    }

    /// Width, height, and how far the middle is right of and below the picture's: fractions of whole numbers.
    private void shown(long[] aperture) {
        int width = whole(aperture[0], aperture[1]);
        int height = whole(aperture[2], aperture[3]);
        int left = first(header.codedWidth, width, aperture[4], aperture[5]);
        int top = first(header.codedHeight, height, aperture[6], aperture[7]);
        boolean within = width > 0 && height > 0 && left >= 0 && top >= 0;
        if (!within || width > header.codedWidth - left || height > header.codedHeight - top) {
            throw DecodeException.because(String.format(
                    "its clean aperture is not %d x %d whole pixels of %d x %d",
                    width, height, header.codedWidth, header.codedHeight));
        }
        header.size(width, height, header.channels, header.bitDepth);
        header.left = left;
        header.top = top;
    }

    /// A fraction that is a whole number, or -1.
    private static int whole(long numerator, long denominator) {
        return denominator > 0 && numerator % denominator == 0 ? (int) (numerator / denominator) : -1;
    }

    /// The first of `length` pixels whose middle is a fraction of a pixel from that of `all`, or -1.
    private static int first(long all, long length, long numerator, long denominator) {
        return denominator > 0 ? whole((all - length) * denominator + 2 * numerator, 2 * denominator) : -1;
    }

    /// The tiles of a picture that is not coded itself.
    private ImageHeader.Tiles tiles(long item) {
        String type = items.type(item);
        if (!type.equals("grid")) {
            throw DecodeException.because(String.format(
                    "the picture is of type '%s'; only %s and 'grid' (tiles of it) are supported",
                    type, header.format == ImageFormat.HEIC ? "'hvc1' (HEVC)" : "'av01' (AV1)"));
        }
        ImageHeader.Part grid = items.data(item);
        long at = grid.offset();
        // version, flags, rows and columns less one, and the size in numbers of 16 or 32 bits
        boolean wide = grid.length() > 1 && (HeaderBytes.u8(bytes, at + 1) & 1) != 0;
        if (grid.length() < (wide ? 12 : 8)) {
            throw DecodeException.because("the grid of tiles has only " + grid.length() + " bytes");
        }
        int rows = HeaderBytes.u8(bytes, at + 2) + 1;
        int columns = HeaderBytes.u8(bytes, at + 3) + 1;
        int width = wide ? HeaderBytes.be32(bytes, at + 4) : HeaderBytes.be16(bytes, at + 4);
        int height = wide ? HeaderBytes.be32(bytes, at + 8) : HeaderBytes.be16(bytes, at + 6);
        List<Long> parts = items.parts(item, MOST_TILES);
        if (rows * columns != parts.size()) {
            throw DecodeException.because(String.format(
                    "a grid of %d x %d tiles has %d (at most %d are supported)",
                    columns, rows, parts.size(), MOST_TILES));
        }
        HeifItems.Item tile = items.properties(parts.getFirst());
        boolean covered = fits(columns, tile.width, width) && fits(rows, tile.height, height);
        if (!tile.coded || width != header.codedWidth || height != header.codedHeight || !covered) {
            throw DecodeException.because(String.format(
                    "%d x %d tiles of %d x %d coded pixels do not make a picture of %d x %d",
                    columns, rows, tile.width, tile.height, header.codedWidth, header.codedHeight));
        }
        if (header.format == ImageFormat.HEIC && item == items.primary()) {
            header.size(header.width, header.height, tile.channels, tile.depth);
        }
        return new ImageHeader.Tiles(
                columns,
                tile.width,
                tile.height,
                parts.stream().map(part -> part(part, items.properties(part))).toList());
    }

    /// Whether `count` tiles cover `length` pixels, and none of them is beside it.
    private static boolean fits(int count, int tile, int length) {
        return tile > 0 && (long) count * tile >= length && (count - 1L) * tile < length;
    }
}
