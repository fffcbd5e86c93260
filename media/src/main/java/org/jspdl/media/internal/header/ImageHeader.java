package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspecify.annotations.Nullable;

/// What a header reader found; mutable so that a decoder reuses it.
public final class ImageHeader {
    public ImageFormat format = ImageFormat.JPEG;
    public int width;
    public int height;
    public int channels;
    public int bitDepth;
    public int orientation;
    /// Where the frame header of a JPEG file begins.
    long frame;
    /// The coded picture, where it is a part of the file that has to be found.
    public Part picture = Part.NONE;
    /// The coded picture of its alpha, likewise.
    public Part alpha = Part.NONE;

    /// Whether colors were multiplied with the alpha that lies in a picture of its own.
    public boolean premultiplied;

    /// The gray, 0 to 255, that is transparent in a PNG file of less than 8 bits; -1 if none is.
    public int transparentGray;
    /// How colors were made luminance and chroma, by the number of ITU-T H.273; -1 if only the coded picture says
    /// it.
    public int matrix;
    /// Whether samples have the whole range, where [#matrix] is known.
    public boolean fullRange;
    /// The pixels of a coded HEIF picture, of which [#width] x [#height] from [#left] and [#top] on are shown.
    public int codedWidth;

    public int codedHeight;
    public int left;
    public int top;
    /// Where the coded picture lies, if it covers only a part of the canvas.
    public Place place = Place.EVERYWHERE;

    /// The coded picture, where it is in tiles, and not in [#picture].
    public Tiles tiles = Tiles.NONE;
    /// The coded picture of its alpha, likewise.
    public Tiles alphaTiles = Tiles.NONE;

    /// Some bytes of the file.
    ///
    /// @param setup where the parameter sets of the HEVC picture are whose bytes these are
    public record Part(long offset, long length, @Nullable Part setup) {
        static final Part NONE = new Part(0, 0);

        Part(long offset, long length) {
            this(offset, length, null);
        }

        public MemorySegment of(MemorySegment file) {
            return file.asSlice(offset, length);
        }
    }

    /// Pixels of the canvas.
    public record Place(int left, int top, int width, int height) {
        static final Place EVERYWHERE = new Place(0, 0, 0, 0);
    }

    /// The coded picture in tiles of one size, from left to right and from top to bottom, in place of one part;
    /// those at the right and at the bottom may reach beyond the picture.
    ///
    /// @param columns tiles beside each other
    /// @param width   pixels in a row of a tile
    /// @param height  rows of a tile
    public record Tiles(int columns, int width, int height, List<Part> parts) {
        static final Tiles NONE = new Tiles(0, 0, 0, List.of());
    }

    void begin(ImageFormat format) {
        this.format = format;
        width = 0;
        height = 0;
        coded(0, 0);
        left = 0;
        top = 0;
        channels = 0;
        bitDepth = 8;
        orientation = 1;
        picture = Part.NONE;
        alpha = Part.NONE;
        place = Place.EVERYWHERE;
        premultiplied = false;
        transparentGray = -1;
        matrix = -1;
        tiles = Tiles.NONE;
        alphaTiles = Tiles.NONE;
    }

    /// Whether alpha is coded as a picture of its own.
    public boolean hasSeparateAlpha() {
        return alpha.length() > 0 || alphaTiles.columns() > 0;
    }

    /// Whether the coded picture covers only a part of the canvas.
    public boolean isPlaced() {
        return place.width > 0;
    }

    /// The header that the coded picture would have without its canvas.
    public ImageHeader withoutCanvas() {
        ImageHeader alone = new ImageHeader();
        alone.begin(format);
        alone.size(place.width, place.height, channels, bitDepth);
        alone.picture = picture;
        return alone;
    }

    void coded(int ofWidth, int ofHeight) {
        codedWidth = ofWidth;
        codedHeight = ofHeight;
    }

    /// Pixels in a row of the picture or of what is decoded for it, whichever are more.
    public int widest() {
        return Math.max(Math.max(width, codedWidth), Math.max(tiles.width, alphaTiles.width));
    }

    /// Rows of the picture or of what is decoded for it, whichever are more.
    public int highest() {
        return Math.max(Math.max(height, codedHeight), Math.max(tiles.height, alphaTiles.height));
    }

    /// Pixels of the picture or of what is decoded for it, at most.
    public long mostPixels() {
        return (long) widest() * highest();
    }

    /// Whether the coded picture is an item of a HEIF file.
    public boolean isHeif() {
        return format == ImageFormat.AVIF || format == ImageFormat.HEIC;
    }

    void size(int width, int height, int channels, int bitDepth) {
        this.width = width;
        this.height = height;
        this.channels = channels;
        this.bitDepth = bitDepth;
    }

    public ImageInfo info() {
        return new ImageInfo(format, width, height, channels, bitDepth, orientation);
    }
}
