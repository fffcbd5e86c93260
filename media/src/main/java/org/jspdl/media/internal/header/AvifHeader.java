package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.input.DecodeException;

/// Reads the header of an AVIF file (ISO 23000-22): finds the primary picture, its size, depth and orientation, the
/// picture of its alpha, and the tiles where one of them is a grid.
final class AvifHeader {
    /// More tiles than this are not read: every one is looked up in a table of the file.
    private static final int MOST_TILES = 256;
    private static final List<String> BRANDS = List.of("avif", "avis");

    private final MemorySegment bytes;
    private final AvifItems items;
    private final ImageHeader header;

    private AvifHeader(MemorySegment bytes, ImageHeader header) {
        this.bytes = bytes;
        this.items = new AvifItems(bytes);
        this.header = header;
    }

    /// Whether a file says that it is AVIF, alone or among other things.
    static boolean isAvif(MemorySegment bytes) {
        return IsoBoxes.hasBrand(bytes, BRANDS);
    }

    static void read(MemorySegment bytes, ImageHeader header) {
        new AvifHeader(bytes, header).read();
    }

    private void read() {
        long primary = items.primary();
        AvifItems.Item item = items.properties(primary);
        long alpha = items.alphaOf(primary);
        header.size(item.width, item.height, item.channels == 1 ? 1 : 3, item.depth);
        header.orientation = item.orientation();
        header.matrix = item.matrix;
        header.fullRange = item.fullRange;
        if (item.coded) {
            header.picture = items.data(primary);
        } else {
            header.tiles = tiles(primary);
        }
        if (alpha >= 0) {
            header.channels++;
            if (items.properties(alpha).coded) {
                header.alpha = items.data(alpha);
            } else {
                header.alphaTiles = tiles(alpha);
            }
        }
    }

    /// The tiles of a picture that is not coded itself.
    private ImageHeader.Tiles tiles(long item) {
        String type = items.type(item);
        if (!type.equals("grid")) {
            throw DecodeException.because(
                    "the picture is of type '" + type + "'; only 'av01' (AV1) and 'grid' (tiles of it) are supported");
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
        AvifItems.Item tile = items.properties(parts.getFirst());
        boolean covered = fits(columns, tile.width, width) && fits(rows, tile.height, height);
        if (!tile.coded || width != header.width || height != header.height || !covered) {
            throw DecodeException.because(String.format(
                    "%d x %d tiles of %d x %d AV1 pixels do not make a picture of %d x %d",
                    columns, rows, tile.width, tile.height, header.width, header.height));
        }
        return new ImageHeader.Tiles(
                columns,
                tile.width,
                tile.height,
                parts.stream().map(items::data).toList());
    }

    /// Whether `count` tiles cover `length` pixels, and none of them is beside it.
    private static boolean fits(int count, int tile, int length) {
        return tile > 0 && (long) count * tile >= length && (count - 1L) * tile < length;
    }
}
