package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/// Follows the elements of a Matroska file (RFC 9559) down to the blocks of its clusters: each begins where the one
/// before ends, is one that may be there, and ends within the one that it is in.
///
/// Where one does not, the next cluster is looked for. Bytes that are passed over are not missed: it goes on with the
/// next header that is read, or with a cluster at which reading goes on.
final class MatroskaElements implements BrokenPlaces.Structure {
    static final int MAGIC = 0x1A45DFA3;

    private static final int SEGMENT = 0x18538067;
    private static final int CLUSTER = 0x1F43B675;
    private static final byte[] CLUSTER_BYTES = {0x1F, 0x43, (byte) 0xB6, 0x75};
    private static final int VOID = 0xEC;
    private static final int CHECKSUM = 0xBF;
    private static final int SIMPLE_BLOCK = 0xA3;
    private static final int BLOCK_GROUP = 0xA0;
    private static final int ENCRYPTED_BLOCK = 0xAF;
    private static final int SILENT_TRACKS = 0x5854;
    /// Time, position, and size of the cluster before.
    private static final Set<Integer> NUMBERS = Set.of(0xE7, 0xA7, 0xAB);
    /// Places, information, tracks, cues, attachments, chapters, tags.
    private static final Set<Integer> IN_SEGMENT =
            Set.of(0x114D9B74, 0x1549A966, 0x1654AE6B, 0x1C53BB6B, 0x1941A469, 0x1043A770, 0x1254C367);

    private static final int MOST_ID_BYTES = 4;
    private static final int MOST_SIZE_BYTES = 8;
    /// A track, a time and flags.
    private static final int LEAST_BLOCK_BYTES = 4;
    private static final long OPEN = Long.MAX_VALUE;

    private final BrokenPlaces broken;
    /// And the first byte of a block.
    private final byte[] header = new byte[MOST_ID_BYTES + MOST_SIZE_BYTES + 1];
    private Level level = Level.FILE;
    private long segmentEnd = OPEN;
    private long clusterEnd = OPEN;
    /// Where the next header begins, and how many of its bytes are known.
    private long next;

    private int held;
    /// Up to where a cluster was looked for, and the last four bytes before.
    private long lookedTo;

    private int last;

    /// Where the next element is.
    private enum Level {
        FILE,
        SEGMENT,
        CLUSTER,
        /// Behind a broken place.
        UNKNOWN,
        /// Behind something that has no end.
        NOWHERE
    }

    MatroskaElements(BrokenPlaces broken) {
        this.broken = broken;
    }

    @Override
    public void follow(long position, MemorySegment bytes) {
        long stop = position + bytes.byteSize();
        if (level != Level.UNKNOWN && level != Level.NOWHERE && position > next + held) {
            resume(position, bytes);
        }
        while (level != Level.NOWHERE) {
            if (level == Level.UNKNOWN) {
                if (!look(position, bytes)) {
                    return;
                }
            } else if (next + held < position || next + held >= stop) {
                return;
            } else {
                header[held] = bytes.get(ValueLayout.JAVA_BYTE, next + held - position);
                held++;
                step();
            }
        }
    }

    /// Goes on at a cluster that was sought.
    private void resume(long position, MemorySegment bytes) {
        if (bytes.byteSize() >= BrokenPlaces.MAGIC.byteSize() && bytes.get(BrokenPlaces.MAGIC, 0) == CLUSTER) {
            next = position;
            held = 0;
            level = Level.SEGMENT;
        }
    }

    /// Looks for a cluster behind a broken place; whether there is one.
    private boolean look(long position, MemorySegment bytes) {
        long stop = position + bytes.byteSize();
        if (position > lookedTo) {
            lookedTo = position;
            last = 0;
        }
        while (lookedTo < stop) {
            last = (last << Byte.SIZE) | (bytes.get(ValueLayout.JAVA_BYTE, lookedTo - position) & 0xFF);
            lookedTo++;
            if (last == CLUSTER) {
                next = lookedTo - MOST_ID_BYTES;
                // Its first bytes may be in what was read before.
                System.arraycopy(CLUSTER_BYTES, 0, header, 0, MOST_ID_BYTES);
                held = MOST_ID_BYTES;
                level = Level.SEGMENT;
                return true;
            }
        }
        return false;
    }

    /// Does what is to be done when another byte of a header is known.
    private void step() {
        int idBytes = length(header[0], MOST_ID_BYTES);
        int sizeBytes = idBytes > 0 && held > idBytes ? length(header[idBytes], MOST_SIZE_BYTES) : 1;
        if (idBytes == 0 || sizeBytes == 0) {
            if (level == Level.FILE) {
                level = Level.NOWHERE;
            } else {
                breakOff();
            }
        } else if (held >= idBytes + sizeBytes) {
            int id = (int) number(0, idBytes);
            if (id == SIMPLE_BLOCK && held == idBytes + sizeBytes) {
                return;
            }
            long begin = next + idBytes + sizeBytes;
            long size = number(idBytes, idBytes + sizeBytes) & ~(1L << (7 * sizeBytes));
            boolean isOpen = size == (1L << (7 * sizeBytes)) - 1;
            element(id, begin, isOpen ? OPEN : begin + size);
            leave();
        }
    }

    /// How many bytes a number has of which this is the first; 0 if it is none.
    private static int length(byte first, int most) {
        int length = Integer.numberOfLeadingZeros(first & 0xFF) - (Integer.SIZE - Byte.SIZE) + 1;
        return length <= most ? length : 0;
    }

    private long number(int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = (number << Byte.SIZE) | (header[i] & 0xFF);
        }
        return number;
    }

    private void element(int id, long begin, long elementEnd) {
        switch (level) {
            case FILE -> inFile(id, begin, elementEnd);
            case SEGMENT -> inSegment(id, begin, elementEnd);
            case CLUSTER -> {
                if (clusterEnd == OPEN && (id == CLUSTER || IN_SEGMENT.contains(id))) {
                    inSegment(id, begin, elementEnd);
                } else {
                    inCluster(id, begin, elementEnd);
                }
            }
            case UNKNOWN, NOWHERE -> {}
        }
    }

    private void inFile(int id, long begin, long elementEnd) {
        if (id == SEGMENT) {
            segmentEnd = elementEnd;
            enter(Level.SEGMENT, begin);
        } else if (elementEnd != OPEN && (id == MAGIC || id == VOID || id == CHECKSUM)) {
            enter(Level.FILE, elementEnd);
        } else {
            level = Level.NOWHERE;
        }
    }

    private void inSegment(int id, long begin, long elementEnd) {
        if (elementEnd != OPEN && elementEnd > segmentEnd) {
            breakOff();
        } else if (id == CLUSTER) {
            clusterEnd = elementEnd;
            enter(Level.CLUSTER, begin);
        } else if (!IN_SEGMENT.contains(id) && id != VOID && id != CHECKSUM) {
            breakOff();
        } else if (elementEnd == OPEN) {
            level = Level.NOWHERE;
        } else {
            enter(Level.SEGMENT, elementEnd);
        }
    }

    private void inCluster(int id, long begin, long elementEnd) {
        boolean isNumber = NUMBERS.contains(id);
        boolean isBlock = id == SIMPLE_BLOCK || id == BLOCK_GROUP;
        boolean isKnown =
                isNumber || isBlock || id == ENCRYPTED_BLOCK || id == SILENT_TRACKS || id == VOID || id == CHECKSUM;
        long size = elementEnd - begin;
        if (!isKnown
                || elementEnd > Math.min(clusterEnd, segmentEnd)
                || elementEnd == OPEN
                || (isNumber && size > Long.BYTES)
                || (isBlock && size < LEAST_BLOCK_BYTES)
                || (id == SIMPLE_BLOCK && length(header[held - 1], MOST_SIZE_BYTES) == 0)) {
            breakOff();
        } else {
            enter(Level.CLUSTER, elementEnd);
        }
    }

    private void enter(Level other, long at) {
        level = other;
        next = at;
        held = 0;
    }

    /// Goes up where an element ends.
    private void leave() {
        if (level == Level.CLUSTER && next >= clusterEnd) {
            level = Level.SEGMENT;
        }
        if (level == Level.SEGMENT && next >= segmentEnd) {
            level = Level.FILE;
        }
    }

    private void breakOff() {
        broken.add(next);
        level = Level.UNKNOWN;
        lookedTo = next + 1;
        last = 0;
        held = 0;
    }
}
