package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Where the structure of an Ogg or Matroska file (WebM is one) or of bare AAC is broken, found as its bytes pass by:
/// demuxers pass over what is between such a place and the next one that they can make sense of, and say nothing.
///
/// What is within packets is their codec's to judge. No byte is read for this. Used by one thread at a time.
public final class BrokenPlaces {
    static final long NOWHERE = -1;

    private static final int MOST = 1 << 16;
    static final ValueLayout.OfInt MAGIC = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final NavigableSet<Long> places = new TreeSet<>();
    private @Nullable Structure structure;
    private boolean isOther;

    /// A structure that is followed.
    interface Structure {
        /// Takes bytes that were read from `position` on.
        void follow(long position, MemorySegment bytes);

        /// Where what was read last breaks off, if that is the end of the file; [BrokenPlaces#NOWHERE] if it
        /// does not.
        default long brokenEnd() {
            return NOWHERE;
        }

        /// Whether it is the file's.
        default boolean isFound() {
            return true;
        }

        /// Whether it is that of a format, by FFmpeg's name of it; what files begin with is not always telling.
        default boolean isOf(String format) {
            return true;
        }
    }

    /// Takes bytes that were read from `position` on.
    public void follow(long position, MemorySegment bytes) {
        if (structure == null && !isOther && position == 0 && bytes.byteSize() >= MAGIC.byteSize()) {
            int magic = bytes.get(MAGIC, 0);
            if (magic == OggPages.MAGIC) {
                structure = new OggPages(this);
            } else if (magic == MatroskaElements.MAGIC) {
                structure = new MatroskaElements(this);
            } else if (AdtsFrames.maybe(magic)) {
                structure = new AdtsFrames(this);
            } else {
                isOther = true;
            }
        }
        if (structure != null) {
            structure.follow(position, bytes);
        }
    }

    void add(long place) {
        if (places.size() < MOST) {
            places.add(place);
        }
    }

    /// Whether the structure is one that is followed.
    public boolean isFollowed() {
        return structure != null && structure.isFound();
    }

    /// Whether what is found is of a file of `format`, by FFmpeg's name of it.
    boolean isOf(String format) {
        return structure == null || structure.isOf(format);
    }

    /// Whether there is such a place behind `after` and not behind `until`.
    public boolean isBetween(long after, long until) {
        Long first = places.higher(after);
        return first != null && first <= until;
    }

    /// Whether there is one behind `after`, at the end of the file.
    public boolean isEndBehind(long after) {
        return places.higher(after) != null || (structure != null && structure.brokenEnd() > after);
    }
}
