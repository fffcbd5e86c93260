package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Follows the counters of a transport stream's packets as its bytes pass by, and keeps where packets are lost: FFmpeg
/// sees it too, but its mark does not always arrive at the frame.
///
/// All bytes that are read once are followed once, whatever is sought in between. Used by one thread at a time.
public final class TransportCounters {
    private static final int SYNC = 0x47;
    private static final int PAYLOAD_BYTES = 188;
    /// As they are sent, with a time before each, and with a checksum behind each.
    private static final int[] PACKET_BYTES = {PAYLOAD_BYTES, 192, 204};

    private static final int HEADER_BYTES = 6;
    private static final int NUMBERS = 1 << 13;
    private static final int NOTHING = NUMBERS - 1;
    private static final int SYNCS = 3;
    private static final int MOST_RUNS = 8;
    private static final int MOST_LOSSES = 1 << 16;

    private final List<Run> runs = new ArrayList<>();
    /// The beginning of each PES packet that lacks something, or comes next to one that is lost, with its number.
    private final Set<Loss> losses = new HashSet<>();

    private int packetBytes;
    private boolean isOther;

    private record Loss(int number, long position) {}

    /// Whether something is lost of what was read, in any stream.
    public boolean hasLosses() {
        return !losses.isEmpty();
    }

    /// Whether something is lost of the PES packet of stream `number` that begins at `position`.
    public boolean isLost(int number, long position) {
        return losses.size() >= MOST_LOSSES || losses.contains(new Loss(number, position));
    }

    /// Takes bytes that were read from `position` on.
    public void follow(long position, MemorySegment bytes) {
        if (isOther || (packetBytes == 0 && !isTransportStream(bytes))) {
            return;
        }
        runAt(position).follow(position, bytes);
    }

    /// Looks at the first bytes that are read, if they are enough.
    private boolean isTransportStream(MemorySegment bytes) {
        int longest = PACKET_BYTES[PACKET_BYTES.length - 1];
        if (bytes.byteSize() < (long) longest * SYNCS) {
            return false;
        }
        for (int size : PACKET_BYTES) {
            for (int at = 0; at < size; at++) {
                if (isSync(bytes, at, size)) {
                    packetBytes = size;
                    return true;
                }
            }
        }
        isOther = true;
        return false;
    }

    /// Whether packets begin at `at`, as far as the bytes show.
    private static boolean isSync(MemorySegment bytes, long at, int size) {
        for (int i = 0; i < SYNCS && at + (long) i * size < bytes.byteSize(); i++) {
            if ((bytes.get(ValueLayout.JAVA_BYTE, at + (long) i * size) & 0xFF) != SYNC) {
                return false;
            }
        }
        return true;
    }

    /// The run that goes on at `position`, or a new one.
    private Run runAt(long position) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run known = runs.get(i);
            if (known.begin <= position && position <= known.end) {
                runs.add(runs.remove(i));
                return known;
            }
        }
        Run fresh = new Run(position);
        runs.add(fresh);
        if (runs.size() > MOST_RUNS) {
            runs.removeFirst();
        }
        return fresh;
    }

    /// Bytes that follow each other.
    private final class Run {
        private final long begin;
        private final byte[] header = new byte[HEADER_BYTES];
        private final byte[] counters = new byte[NUMBERS];
        private final boolean[] nextIsLost = new boolean[NUMBERS];
        private final Map<Integer, Long> starts = new HashMap<>();
        private long end;
        private long next;
        private int held;
        private boolean isSynchronized;

        Run(long begin) {
            this.begin = begin;
            this.end = begin;
            this.next = begin;
        }

        void follow(long position, MemorySegment bytes) {
            long stop = position + bytes.byteSize();
            while (next < stop) {
                if (!isSynchronized) {
                    synchronize(position, bytes);
                    continue;
                }
                while (held < HEADER_BYTES && next + held < stop) {
                    header[held] = bytes.get(ValueLayout.JAVA_BYTE, next + held - position);
                    held++;
                }
                if (held < HEADER_BYTES) {
                    break;
                }
                held = 0;
                isSynchronized = (header[0] & 0xFF) == SYNC;
                if (isSynchronized) {
                    look(next);
                    next += packetBytes;
                }
            }
            end = Math.max(end, stop);
        }

        /// Goes to the next place where packets begin.
        private void synchronize(long position, MemorySegment bytes) {
            long at = Math.max(next, position) - position;
            while (at < bytes.byteSize() && !isSync(bytes, at, packetBytes)) {
                at++;
            }
            isSynchronized = at < bytes.byteSize();
            next = position + at;
        }

        private void look(long at) {
            int number = (header[1] & 0x1F) << 8 | (header[2] & 0xFF);
            boolean hasPayload = (header[3] & 0x10) != 0;
            boolean hasFields = (header[3] & 0x20) != 0;
            if (number == NOTHING || (!hasPayload && !hasFields)) {
                return;
            }
            boolean isBroken = (header[1] & 0x80) != 0;
            boolean jumps = hasFields && header[4] != 0 && (header[5] & 0x80) != 0;
            int counter = header[3] & 0xF;
            int last = counters[number] - 1;
            boolean isNext = counter == (hasPayload ? (last + 1) & 0xF : last);
            counters[number] = (byte) (counter + 1);
            if (isBroken || (last >= 0 && !jumps && !isNext)) {
                lose(number, starts.get(number));
                // What came before may have been complete, and read already: then a whole one is lost.
                nextIsLost[number] = true;
            }
            if (hasPayload && (header[1] & 0x40) != 0) {
                // FFmpeg calls this the position of the packet, whatever is around it.
                long start = at + PAYLOAD_BYTES - packetBytes;
                starts.put(number, start);
                if (nextIsLost[number]) {
                    lose(number, start);
                    nextIsLost[number] = false;
                }
            }
        }

        private void lose(int number, @Nullable Long start) {
            if (start != null && losses.size() < MOST_LOSSES) {
                losses.add(new Loss(number, start));
            }
        }
    }
}
