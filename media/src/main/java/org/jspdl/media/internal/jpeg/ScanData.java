package org.jspdl.media.internal.jpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The entropy-coded data of a scan, without the zero bytes that keep data apart from markers: up to a megabyte of it
/// at a time, and never beyond the next marker.
///
/// Restart markers are looked for, and lost ones dealt with, as libjpeg does it (T.81, B.2.1;
/// `jpeg_resync_to_restart`). Used by one thread at a time.
final class ScanData {
    /// Big-endian `long`s of a byte array.
    static final VarHandle BIG_ENDIAN = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final VarHandle LITTLE_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong EIGHT = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;
    /// More than a unit can take: 10 blocks of 64 codes with their values, of at most 31 bits.
    private static final int RESERVE = 4096;
    private static final int CHUNK = 1 << 20;
    private static final int SMALLEST = 1 << 16;
    private static final int PIECE = 1 << 14;
    private static final int FIRST_PIECE = 1 << 10;
    private static final int LOOK_AHEAD = Long.BYTES + 1;
    /// At most this many bytes between the last unit of a scan and the next marker are no damage: some encoders
    /// leave them.
    private static final int MOST_LEFT_OVER = 7;
    private static final int RESTARTS = 8;

    private final Strictness strictness;
    private MemorySegment file = MemorySegment.NULL;
    /// What was read and not taken yet; zeros behind the last byte before a marker.
    byte[] data = new byte[0];

    private final byte[] raw = new byte[PIECE];
    /// The bits to come, at the top.
    long bits;
    /// How many of them count.
    int count;
    /// The byte of [#data] behind those that count.
    int position;
    /// Once the position is behind this one, [#isThere] has to be asked before more is read.
    int limit;

    private int end;
    /// The next byte of the file, behind what was read.
    private long at;
    /// Where the marker is that ends the data; -1 while it was not reached.
    private long marker;

    private int markerCode;
    private long behindMarker;
    private int nextRestart;
    private boolean exhausted;

    ScanData(Strictness strictness) {
        this.strictness = strictness;
    }

    /// Begins with the data of a scan at byte `from` of the file.
    void begin(MemorySegment file, long from) {
        this.file = file;
        long most = Math.min(CHUNK, file.byteSize() - from + Long.BYTES);
        if (data.length < most + 2 * RESERVE) {
            data = new byte[(int) Math.max(most + most / 4, SMALLEST) + 2 * RESERVE];
        }
        nextRestart = 0;
        beginInterval(from, true);
    }

    private void beginInterval(long from, boolean isNeeded) {
        at = from;
        marker = -1;
        end = 0;
        bits = 0;
        count = 0;
        position = 0;
        exhausted = !isNeeded;
        if (isNeeded) {
            fill();
        }
    }

    /// Whether nothing more is to be read up to the next restart: the data has ended too early, or is not needed.
    boolean isExhausted() {
        return exhausted;
    }

    /// Declares that the rest of this interval is not needed.
    void exhaust() {
        exhausted = true;
    }

    /// Whether everything that was taken was there; reads on if there is more. Reports it if not.
    boolean isThere() {
        if (marker < 0) {
            System.arraycopy(data, position, data, 0, end - position);
            end -= position;
            position = 0;
            fill();
            return true;
        }
        if (8L * position - count <= 8L * end) {
            return true;
        }
        exhausted = true;
        strictness.damaged(marker, endText());
        return false;
    }

    private String endText() {
        return marker == file.byteSize()
                ? "the file ends in the middle of the image data"
                : "the image data ends too early, at a marker";
    }

    /// Where in the file the byte of the next bit is.
    long offset() {
        long offset = at;
        for (int behind = Math.max(0, end - position + (count >> 3)); behind > 0; behind--) {
            offset--;
            if (offset > 0 && u8(offset) == 0 && u8(offset - 1) == 0xFF) {
                offset--;
            }
        }
        return offset;
    }

    private int u8(long offset) {
        return file.get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    /// Reads until the data is full or a marker comes.
    private void fill() {
        byte[] into = data;
        int full = into.length - RESERVE - 2 * Long.BYTES;
        while (end < full && marker < 0) {
            fillQuickly(file, into, full);
            if (end < full) {
                at = fillSlowly(at, end, Math.min(file.byteSize(), at + Long.BYTES));
                if (at >= file.byteSize() && marker < 0) {
                    endOfFile();
                }
            }
        }
        if (marker >= 0) {
            Arrays.fill(into, end, end + RESERVE, (byte) 0);
            limit = end;
        } else {
            limit = end - RESERVE;
        }
    }

    /// Reads eight bytes at a time, up to a marker or close to the end of the file. Bytes come to the heap in
    /// pieces, first small ones, as an interval may be short.
    private void fillQuickly(MemorySegment file, byte[] into, int full) {
        long size = file.byteSize();
        int piece = FIRST_PIECE;
        boolean goesOn = true;
        while (goesOn && end < full && at + LOOK_AHEAD < size) {
            int length = (int) Math.min(piece, size - at);
            MemorySegment.copy(file, ValueLayout.JAVA_BYTE, at, raw, 0, length);
            goesOn = unstuff(raw, length - LOOK_AHEAD, into, full);
            piece = Math.min(2 * piece, raw.length);
        }
    }

    /// Takes bytes up to `until`, and a few more; returns false at a marker.
    private boolean unstuff(byte[] raw, int until, byte[] into, int full) {
        int from = 0;
        int to = end;
        boolean goesOn = true;
        while (from < until && to < full) {
            long eight = (long) LITTLE_ENDIAN.get(raw, from);
            // a byte of eight ones leaves a zero byte in the complement; the first of them is found exactly
            long found = (~eight - ONES) & eight & TOPS;
            LITTLE_ENDIAN.set(into, to, eight);
            if (found == 0) {
                from += Long.BYTES;
                to += Long.BYTES;
                continue;
            }
            int before = Long.numberOfTrailingZeros(found) >>> 3;
            from += before;
            to += before;
            if (raw[from + 1] != 0) {
                goesOn = false;
                break;
            }
            from += 2;
            to++;
        }
        at += from;
        end = to;
        return goesOn;
    }

    /// Reads bytes up to `until`, and to the end of what begins before it.
    private long fillSlowly(long from, int to, long until) {
        long next = from;
        int put = to;
        while (next < until && marker < 0) {
            int one = u8(next);
            if (one == 0xFF) {
                long behind = next + 1;
                while (behind < file.byteSize() && u8(behind) == 0xFF) {
                    behind++;
                }
                if (behind == file.byteSize()) {
                    endOfFile();
                    break;
                }
                if (u8(behind) != 0) {
                    markerAt(next, behind);
                    break;
                }
                next = behind;
            }
            data[put++] = (byte) one;
            next++;
        }
        end = put;
        return next;
    }

    private void markerAt(long begin, long code) {
        marker = begin;
        markerCode = u8(code);
        behindMarker = code + 1;
    }

    /// A file that lacks its end marker is read as if it had one.
    private void endOfFile() {
        marker = file.byteSize();
        markerCode = Segments.END_OF_IMAGE;
        behindMarker = marker;
    }

    /// Passes over data to the next marker.
    private void seekMarker() {
        long next = at;
        long size = file.byteSize();
        while (marker < 0) {
            while (next + Long.BYTES < size) {
                long eight = file.get(EIGHT, next);
                if (((~eight - ONES) & eight & TOPS) != 0) {
                    break;
                }
                next += Long.BYTES;
            }
            while (next < size && u8(next) != 0xFF) {
                next++;
            }
            long behind = next + 1;
            while (behind < size && u8(behind) == 0xFF) {
                behind++;
            }
            if (behind >= size) {
                endOfFile();
            } else if (u8(behind) != 0) {
                markerAt(next, behind);
            } else {
                next = behind + 1;
            }
        }
        at = marker;
    }

    /// Goes on behind the next restart marker, of which the last interval had all its units. If it isn't there,
    /// what is there decides: a marker that is due later leaves this interval empty; others are passed over.
    ///
    /// @param isNeeded whether anything of the interval will be read
    void restart(boolean isNeeded) {
        if (!exhausted) {
            checkLeftOver(0);
        }
        seekMarker();
        if (isDue()) {
            nextRestart = (nextRestart + 1) % RESTARTS;
            beginInterval(behindMarker, isNeeded);
            return;
        }
        boolean resumes = resynchronize();
        nextRestart = (nextRestart + 1) % RESTARTS;
        if (resumes) {
            beginInterval(behindMarker, isNeeded);
        } else {
            at = marker;
            end = 0;
            position = 0;
            bits = 0;
            count = 0;
            exhausted = true;
        }
    }

    /// Whether the marker that was found is the restart marker that is due; reports it if not.
    private boolean isDue() {
        if (markerCode != Segments.FIRST_RESTART + nextRestart) {
            strictness.damaged(
                    marker,
                    markerCode == Segments.END_OF_IMAGE
                            ? endText()
                            : String.format(
                                    "restart marker %d should be here, but marker 0x%02X is", nextRestart, markerCode));
            return false;
        }
        return true;
    }

    private boolean resynchronize() {
        for (; ; ) {
            boolean isRestart = markerCode >= Segments.FIRST_RESTART && markerCode <= Segments.LAST_RESTART;
            int ahead = markerCode - Segments.FIRST_RESTART - nextRestart & RESTARTS - 1;
            if (markerCode >= 0xC0 && !isRestart) {
                return false;
            }
            if (isRestart && (ahead == 1 || ahead == 2)) {
                return false;
            }
            if (isRestart && ahead != RESTARTS - 1 && ahead != RESTARTS - 2) {
                return true;
            }
            at = behindMarker;
            marker = -1;
            seekMarker();
        }
    }

    /// Ends a scan all of whose units were read; returns where its marker is.
    long finish() {
        if (!exhausted) {
            checkLeftOver(MOST_LEFT_OVER);
        }
        seekMarker();
        return marker;
    }

    /// Ends a scan of which nothing more is needed; returns where the next marker is that is no restart. All
    /// restart markers have to be there: without some, what was read may be another part of the picture.
    ///
    /// @param units     how many there are still
    /// @param toRestart how many of these come before the next restart marker
    /// @param interval  how many there are from one restart marker to the next
    long leave(int units, int toRestart, int interval) {
        if (toRestart == 0 && !exhausted) {
            checkLeftOver(0);
        }
        for (int due = Math.ceilDiv(units - toRestart, interval); ; due--) {
            seekMarker();
            if (due > 0 && isDue()) {
                nextRestart = (nextRestart + 1) % RESTARTS;
            }
            if (markerCode < Segments.FIRST_RESTART || markerCode > Segments.LAST_RESTART) {
                return marker;
            }
            at = behindMarker;
            marker = -1;
        }
    }

    private void checkLeftOver(int most) {
        long left = (8L * end - (8L * position - count)) >> 3;
        if (marker < 0) {
            long from = at;
            seekMarker();
            left += marker - from;
        }
        if (left > most) {
            strictness.damaged(marker, left + " bytes are left over between the last block and the marker here");
        }
    }
}
