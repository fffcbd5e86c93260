package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Follows the frames of bare AAC (ADTS, ISO/IEC 13818-7, 6.2): each begins where the one before ends, with a header
/// that does not change. Between them there may be tags (ID3v2). Bytes that are looked at ahead of others are passed
/// over.
final class AdtsFrames implements BrokenPlaces.Structure {
    private static final int HEADER_BYTES = 10;
    private static final int LEAST_FRAME_BYTES = 7;
    /// `ID3`, of the first four bytes.
    private static final int TAG = 0x494433;
    /// Twelve bits that are ones, and a layer that is 0.
    private static final int SYNC = 0xFFF00000;

    private static final int SYNC_BITS = 0xFFF60000;
    /// The sync word, profile, rate and channels.
    private static final int SAME_BITS = 0xFFFFFDC0;

    private final BrokenPlaces broken;
    private final byte[] header = new byte[HEADER_BYTES];
    /// Where the next header begins, and how many of its bytes are known.
    private long next;

    private int held;
    /// What is the same in all headers; 0 before the first.
    private int same;
    private boolean isOther;

    AdtsFrames(BrokenPlaces broken) {
        this.broken = broken;
    }

    /// Whether a file that begins with these four bytes may be bare AAC.
    static boolean maybe(int magic) {
        return (magic & SYNC_BITS) == SYNC || magic >>> Byte.SIZE == TAG;
    }

    @Override
    public boolean isFound() {
        return same != 0 && !isOther;
    }

    /// A FLAC file without its header begins alike.
    @Override
    public boolean isOf(String format) {
        return format.equals("aac");
    }

    @Override
    public void follow(long position, MemorySegment bytes) {
        long stop = position + bytes.byteSize();
        while (!isOther && next + held >= position && next + held < stop) {
            header[held] = bytes.get(ValueLayout.JAVA_BYTE, next + held - position);
            held++;
            if (held == HEADER_BYTES && !step()) {
                find(position, bytes);
            }
        }
    }

    /// Goes on to the next header; false if this is none.
    private boolean step() {
        int first = 0;
        for (int i = 0; i < BrokenPlaces.MAGIC.byteSize(); i++) {
            first = (first << Byte.SIZE) | (header[i] & 0xFF);
        }
        long length = 0;
        if (first >>> Byte.SIZE == TAG) {
            for (int i = 6; i < HEADER_BYTES; i++) {
                length = (length << 7) | (header[i] & 0x7F);
            }
            length += (header[5] & 0x10) != 0 ? 2L * HEADER_BYTES : HEADER_BYTES;
        } else if ((first & SYNC_BITS) == SYNC && (same == 0 || (first & SAME_BITS) == same)) {
            same = first & SAME_BITS;
            length = ((header[3] & 3L) << 11) | ((header[4] & 0xFFL) << 3) | ((header[5] & 0xFF) >> 5);
            length = length < LEAST_FRAME_BYTES ? 0 : length;
        }
        if (length == 0) {
            isOther = same == 0;
            if (!isOther) {
                broken.add(next);
            }
            next++;
            held = 0;
            return false;
        }
        next += length;
        held = 0;
        return true;
    }

    /// Looks for a header from `next` on.
    private void find(long position, MemorySegment bytes) {
        long stop = position + bytes.byteSize();
        while (next + BrokenPlaces.MAGIC.byteSize() <= stop) {
            int first = next < position ? 0 : bytes.get(BrokenPlaces.MAGIC, next - position);
            if ((first & SAME_BITS) == same || first >>> Byte.SIZE == TAG) {
                return;
            }
            next++;
        }
    }
}
