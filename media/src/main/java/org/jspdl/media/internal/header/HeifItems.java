package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspecify.annotations.Nullable;

/// The pictures in a HEIF file (ISO 23008-12), which AVIF and HEIC are, by their numbers: where they lie, what they
/// are, and which belong together.
///
/// Files are hostile: every box is checked against the one it lies in, and no number read from the file is used to
/// allocate memory.
final class HeifItems {
    private static final int ISPE = tag("ispe");
    private static final int PIXI = tag("pixi");
    private static final int AUXC = tag("auxC");
    private static final int AV1C = tag("av1C");
    private static final int HVCC = tag("hvcC");
    private static final int CLAP = tag("clap");
    private static final int IROT = tag("irot");
    private static final int IMIR = tag("imir");
    private static final int COLR = tag("colr");
    private static final int AUXL = tag("auxl");
    private static final int DIMG = tag("dimg");
    private static final int PREM = tag("prem");
    /// A link to a property has 15 bits.
    private static final int MOST_PROPERTIES = 1 << 15;
    /// What an hvcC box has before its parameter sets.
    private static final int HVCC_BYTES = 23;
    /// More references to one picture than this are not looked at.
    private static final int MOST_REFERENCES = 16;
    private static final String ALPHA = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
    private static final String OTHER_ALPHA = "urn:mpeg:hevc:2015:auxid:1";

    private final MemorySegment bytes;
    private final IsoBoxes meta;
    private final ImageFormat format;
    private List<IsoBoxes> properties = List.of();

    /// @param format AVIF, or HEIC: whose pictures are looked for
    HeifItems(MemorySegment bytes, ImageFormat format) {
        this.bytes = bytes;
        this.format = format;
        this.meta = IsoBoxes.of(bytes, 0, bytes.byteSize()).find("meta").skip(4);
    }

    /// The picture that the file is for.
    long primary() {
        IsoBoxes box = meta.find("pitm");
        return id(box, box.start() + 4, box.version() > 0);
    }

    private long id(IsoBoxes box, long at, boolean wide) {
        box.require(at, wide ? 4 : 2);
        return wide ? HeaderBytes.be32(bytes, at) & 0xFFFFFFFFL : HeaderBytes.be16(bytes, at);
    }

    /// What the properties of one item say.
    static final class Item {
        int width;
        int height;
        int channels = 3;
        int depth = 8;
        int turns;
        int flip = -1;
        boolean coded;
        boolean alpha;
        int matrix = -1;
        boolean fullRange;
        /// Where the parameter sets of an HEVC picture are.
        ImageHeader.@Nullable Part setup;
        /// What of the picture is shown, as a clean aperture says: four fractions of 32-bit numbers.
        long[] aperture = {};

        /// The same as an EXIF orientation: turned counter-clockwise first, then flipped (0: upper and lower
        /// halves change places, 1: left and right).
        int orientation() {
            int[] plain = {1, 8, 3, 6};
            int[] upsideDown = {4, 5, 2, 7};
            int[] flipped = {2, 7, 4, 5};
            return (flip < 0 ? plain : flip == 0 ? upsideDown : flipped)[turns];
        }
    }

    Item properties(long item) {
        IsoBoxes container = meta.find("iprp");
        if (properties.isEmpty()) {
            properties = list(container.find("ipco"));
        }
        IsoBoxes links = container.find("ipma");
        boolean wideIds = links.version() > 0;
        boolean wideIndices = (links.flags() & 1) != 0;
        long at = links.start() + 8;
        long entries = id(links, links.start() + 4, true);
        Item found = new Item();
        for (long i = 0; i < entries; i++) {
            boolean ours = id(links, at, wideIds) == item;
            at += wideIds ? 4 : 2;
            links.require(at, 1);
            int count = HeaderBytes.u8(bytes, at++);
            for (int k = 0; k < count; k++) {
                links.require(at, wideIndices ? 2 : 1);
                int index = wideIndices ? HeaderBytes.be16(bytes, at) & 0x7FFF : HeaderBytes.u8(bytes, at) & 0x7F;
                at += wideIndices ? 2 : 1;
                if (ours && index > properties.size()) {
                    throw DecodeException.because("property " + index + " does not exist");
                }
                if (ours && index > 0) {
                    apply(properties.get(index - 1), found);
                }
            }
            if (ours) {
                break;
            }
        }
        return found;
    }

    private static List<IsoBoxes> list(IsoBoxes container) {
        List<IsoBoxes> boxes = new ArrayList<>();
        IsoBoxes box = container.firstChild();
        while (!box.isEmpty() && boxes.size() < MOST_PROPERTIES) {
            boxes.add(box);
            box = box.next();
        }
        return boxes;
    }

    private void apply(IsoBoxes property, Item item) {
        long at = property.start();
        int type = property.type();
        if (type == ISPE) {
            property.require(at, 12);
            item.width = HeaderBytes.be32(bytes, at + 4);
            item.height = HeaderBytes.be32(bytes, at + 8);
        } else if (type == PIXI && item.setup == null) {
            property.require(at, 6);
            item.channels = HeaderBytes.u8(bytes, at + 4);
            item.depth = HeaderBytes.u8(bytes, at + 5);
        } else if (type == AUXC) {
            item.alpha = property.says(at + 4, ALPHA) || property.says(at + 4, OTHER_ALPHA);
        } else if (type == IROT) {
            property.require(at, 1);
            item.turns = HeaderBytes.u8(bytes, at) & 3;
        } else if (type == IMIR) {
            property.require(at, 1);
            item.flip = HeaderBytes.u8(bytes, at) & 1;
        } else if (type == COLR && HeaderBytes.is(bytes, at, "nclx")) {
            property.require(at, 11);
            item.matrix = HeaderBytes.be16(bytes, at + 8);
            item.fullRange = (HeaderBytes.u8(bytes, at + 10) & 0x80) != 0;
        } else if (type == AV1C && format == ImageFormat.AVIF) {
            item.coded = true;
        } else if (type == HVCC && format == ImageFormat.HEIC) {
            property.require(at, HVCC_BYTES);
            item.coded = true;
            item.channels = (HeaderBytes.u8(bytes, at + 16) & 3) == 0 ? 1 : 3;
            item.depth = (HeaderBytes.u8(bytes, at + 17) & 7) + 8;
            item.setup = new ImageHeader.Part(at, property.end() - at);
        } else if (type == CLAP && format == ImageFormat.HEIC) {
            property.require(at, 32);
            item.aperture = new long[8];
            for (int i = 0; i < item.aperture.length; i++) {
                item.aperture[i] = HeaderBytes.be32(bytes, at + 4L * i);
            }
        }
    }

    /// The item that holds the alpha of `item`, or -1.
    long alphaOf(long item) {
        int tries = 0;
        IsoBoxes references = meta.findOrEmpty("iref");
        boolean wide = references.isEmpty() || references.version() > 0;
        for (IsoBoxes box = references.skip(4).firstChild(); !box.isEmpty(); box = box.next()) {
            if (box.type() == AUXL) {
                int idBytes = wide ? 4 : 2;
                long from = id(box, box.start(), wide);
                box.require(box.start() + idBytes, 2);
                int count = Math.min(MOST_REFERENCES, HeaderBytes.be16(bytes, box.start() + idBytes));
                for (int i = 0; i < count; i++) {
                    long to = id(box, box.start() + idBytes + 2 + (long) i * idBytes, wide);
                    if (to == item && tries++ < MOST_REFERENCES && properties(from).alpha) {
                        return from;
                    }
                }
            }
        }
        return -1;
    }

    /// Whether the colors of `item` were multiplied with the alpha in item `alpha`.
    boolean isPremultiplied(long item, long alpha) {
        IsoBoxes references = meta.findOrEmpty("iref");
        boolean wide = references.isEmpty() || references.version() > 0;
        int idBytes = wide ? 4 : 2;
        for (IsoBoxes box = references.skip(4).firstChild(); !box.isEmpty(); box = box.next()) {
            if (box.type() == PREM && id(box, box.start(), wide) == item) {
                box.require(box.start() + idBytes, 2);
                int count = Math.min(MOST_REFERENCES, HeaderBytes.be16(bytes, box.start() + idBytes));
                for (int i = 0; i < count; i++) {
                    if (id(box, box.start() + idBytes + 2 + (long) i * idBytes, wide) == alpha) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /// The coded bytes of an item.
    ImageHeader.Part data(long item) {
        IsoBoxes box = meta.find("iloc");
        int version = box.version();
        long at = box.start() + 4;
        box.require(at, 4);
        int sizes = HeaderBytes.be16(bytes, at);
        int offsetSize = sizes >> 12 & 15;
        int lengthSize = sizes >> 8 & 15;
        int baseSize = sizes >> 4 & 15;
        int indexSize = version == 0 ? 0 : sizes & 15;
        at += 2;
        long count = id(box, at, version >= 2);
        at += version >= 2 ? 4 : 2;
        for (long i = 0; i < count; i++) {
            boolean ours = id(box, at, version >= 2) == item;
            at += version >= 2 ? 4 : 2;
            int method = 0;
            if (version > 0) {
                box.require(at, 2);
                method = HeaderBytes.be16(bytes, at) & 15;
                at += 2;
            }
            at += 2;
            long base = number(box, at, baseSize);
            at += baseSize;
            box.require(at, 2);
            int extents = HeaderBytes.be16(bytes, at);
            at += 2;
            if (ours) {
                if (extents != 1) {
                    throw DecodeException.because("the picture is in " + extents + " pieces; only one is supported");
                }
                long offset = base + number(box, at + indexSize, offsetSize);
                return part(method, offset, number(box, at + indexSize + offsetSize, lengthSize));
            }
            at += (long) extents * (indexSize + offsetSize + lengthSize);
        }
        throw DecodeException.because("the file does not say where item " + item + " lies");
    }

    private long number(IsoBoxes box, long at, int size) {
        box.require(at, size);
        return switch (size) {
            case 0 -> 0;
            case 4 -> HeaderBytes.be32(bytes, at) & 0xFFFFFFFFL;
            case 8 -> (long) HeaderBytes.be32(bytes, at) << 32 | (HeaderBytes.be32(bytes, at + 4) & 0xFFFFFFFFL);
            default -> throw DecodeException.because("the item locations have numbers of " + size + " bytes");
        };
    }

    private ImageHeader.Part part(int method, long offset, long length) {
        if (method > 1) {
            throw DecodeException.because("the picture is made of other items");
        }
        IsoBoxes within = method == 0 ? IsoBoxes.of(bytes, 0, bytes.byteSize()) : meta.find("idat");
        long room = within.end() - within.start();
        long size = length == 0 ? room - offset : length;
        if (offset < 0 || size <= 0 || offset > room || size > room - offset) {
            throw DecodeException.at(
                    offset, String.format("of the picture's %,d bytes only %,d are there", length, room));
        }
        return new ImageHeader.Part(within.start() + offset, size);
    }

    /// The items that `item` is made of; no more than `most`.
    List<Long> parts(long item, int most) {
        List<Long> items = new ArrayList<>();
        IsoBoxes references = meta.findOrEmpty("iref");
        boolean wide = references.isEmpty() || references.version() > 0;
        int idBytes = wide ? 4 : 2;
        for (IsoBoxes box = references.skip(4).firstChild(); !box.isEmpty(); box = box.next()) {
            if (box.type() == DIMG && id(box, box.start(), wide) == item) {
                box.require(box.start() + idBytes, 2);
                int count = HeaderBytes.be16(bytes, box.start() + idBytes);
                for (int i = 0; i < count && items.size() < most; i++) {
                    items.add(id(box, box.start() + idBytes + 2 + (long) i * idBytes, wide));
                }
            }
        }
        return items;
    }

    /// Four characters that say what an item is.
    String type(long item) {
        IsoBoxes all = meta.find("iinf");
        for (IsoBoxes box = all.skip(all.version() == 0 ? 6 : 8).firstChild(); !box.isEmpty(); box = box.next()) {
            boolean wide = box.version() > 2;
            long at = box.start() + (wide ? 10 : 8);
            if (id(box, box.start() + 4, wide) == item) {
                box.require(at, 4);
                return new String(bytes.asSlice(at, 4).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
            }
        }
        return "unknown";
    }

    private static int tag(String name) {
        return IsoBoxes.tag(name);
    }
}
