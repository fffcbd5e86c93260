package org.jspdl.media.internal.header;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.input.DecodeException;

/// One box of an ISO base media file (ISO 14496-12), or the file itself: a range of bytes that holds other boxes or
/// data.
///
/// @param bytes the whole file
/// @param type  four characters as a number
/// @param start where the content begins
/// @param end   where it ends, within the file
/// @param limit where the box around it ends
record IsoBoxes(MemorySegment bytes, int type, long start, long end, long limit) {
    /// More bytes of brands are not looked at.
    private static final long MOST_BRAND_BYTES = 4096;

    static IsoBoxes of(MemorySegment bytes, long start, long end) {
        return new IsoBoxes(bytes, 0, start, end, end);
    }

    /// Whether a file says that it is of one of these brands, alone or among others.
    static boolean hasBrand(MemorySegment file, List<String> brands) {
        if (!HeaderBytes.is(file, 4, "ftyp")) {
            return false;
        }
        long end = Math.min(Math.min(file.byteSize(), MOST_BRAND_BYTES), HeaderBytes.be32(file, 0) & 0xFFFFFFFFL);
        for (long at = 8; at + 4 <= end; at += 4) {
            for (String brand : brands) {
                if (HeaderBytes.is(file, at, brand)) {
                    return true;
                }
            }
        }
        return false;
    }

    static int tag(String name) {
        return name.charAt(0) << 24 | name.charAt(1) << 16 | name.charAt(2) << 8 | name.charAt(3);
    }

    /// The box at `at` in one that ends at `limit`; empty if there is no more.
    private IsoBoxes at(long at, long limit) {
        if (at + 8 > limit) {
            return new IsoBoxes(bytes, 0, limit, limit, limit);
        }
        long size = HeaderBytes.be32(bytes, at) & 0xFFFFFFFFL;
        int type = HeaderBytes.be32(bytes, at + 4);
        long header = 8;
        if (size == 1) {
            size = (long) HeaderBytes.be32(bytes, at + 8) << 32 | (HeaderBytes.be32(bytes, at + 12) & 0xFFFFFFFFL);
            header = 16;
        } else if (size == 0) {
            size = limit - at;
        }
        if (size < header || size > limit - at) {
            throw DecodeException.at(at, String.format("the box has %,d bytes but %,d are left", size, limit - at));
        }
        return new IsoBoxes(bytes, type, at + header, at + size, limit);
    }

    /// The first box in this one.
    IsoBoxes firstChild() {
        return at(start, end);
    }

    /// The box after this one.
    IsoBoxes next() {
        return at(end, limit);
    }

    /// The first box with this name.
    ///
    /// @throws DecodeException if there is none
    IsoBoxes find(String name) {
        IsoBoxes box = findOrEmpty(name);
        if (box.isEmpty()) {
            throw DecodeException.because("the box '" + name + "' is missing");
        }
        return box;
    }

    IsoBoxes findOrEmpty(String name) {
        int wanted = tag(name);
        IsoBoxes box = firstChild();
        while (!box.isEmpty() && box.type != wanted) {
            box = box.next();
        }
        return box;
    }

    /// This without its first bytes.
    IsoBoxes skip(int count) {
        return new IsoBoxes(bytes, type, Math.min(end, start + count), end, limit);
    }

    /// Whether this stands for there being no more boxes.
    boolean isEmpty() {
        return type == 0 && start == end;
    }

    /// The version of a box that has one.
    int version() {
        require(start, 4);
        return HeaderBytes.u8(bytes, start);
    }

    int flags() {
        require(start, 4);
        return HeaderBytes.be32(bytes, start) & 0xFFFFFF;
    }

    /// Checks that `count` bytes from `at` on belong to this box.
    void require(long at, int count) {
        if (at < start || count > end - at) {
            throw DecodeException.at(end, "a box ends too early for its content");
        }
    }

    /// Whether the bytes at `at` are `text`, in this box.
    boolean says(long at, String text) {
        return at + text.length() <= end && HeaderBytes.is(bytes, at, text);
    }
}
