package org.jspdl.data.shards.arrow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.input.FormatException;

/// Decompresses a frame of LZ4, after the descriptions of its frame and block formats. Blocks may refer to those before
/// them, which the JDK's and native decoders of single blocks do not know. Checksums are passed over: the size of the
/// content is known from elsewhere.
///
/// Source: the LZ4 frame format 1.6, the LZ4 block format.
final class Lz4Frame {
    private static final int MAGIC = 0x184D2204;
    private static final int BLOCK_CHECKSUMS = 1 << 4;
    private static final int CONTENT_SIZE = 1 << 3;
    private static final int DICTIONARY = 1;
    private static final int UNCOMPRESSED = 1 << 31;
    private static final int SHORTEST_MATCH = 4;
    private static final int GOES_ON = 15;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment frame;
    private final MemorySegment target;
    private long at;
    private long filled;

    private Lz4Frame(MemorySegment frame, MemorySegment target) {
        this.frame = frame;
        this.target = target;
    }

    /// Fills `target` with what `frame` holds.
    ///
    /// @throws FormatException           if that is not as much, or the frame is of a kind that is not supported
    /// @throws IndexOutOfBoundsException if it is damaged
    static void decompress(MemorySegment frame, MemorySegment target) {
        new Lz4Frame(frame, target).run();
    }

    private void run() {
        int magic = frame.get(INT, 0);
        int flags = frame.get(ValueLayout.JAVA_BYTE, 4) & 0xFF;
        if (magic != MAGIC || flags >> 6 != 1 || (flags & DICTIONARY) != 0) {
            throw FormatException.because("Arrow: a buffer is no frame of LZ4 that is supported");
        }
        at = 7L + ((flags & CONTENT_SIZE) != 0 ? Long.BYTES : 0);
        for (int head = word(); head != 0; head = word()) {
            long end = at + (head & ~UNCOMPRESSED);
            if ((head & UNCOMPRESSED) != 0) {
                literals(end - at);
            } else {
                block(end);
            }
            at = end + ((flags & BLOCK_CHECKSUMS) != 0 ? Integer.BYTES : 0);
        }
        if (filled != target.byteSize()) {
            throw FormatException.because("Arrow: a frame of LZ4 holds " + filled + " bytes, not " + target.byteSize());
        }
    }

    /// Literals and matches alternate; the last literals have no match behind them.
    private void block(long end) {
        while (at < end) {
            int token = next();
            literals(length(token >> 4));
            if (at >= end) {
                return;
            }
            int distance = next() | next() << 8;
            match(distance, length(token & GOES_ON) + SHORTEST_MATCH);
        }
    }

    private long length(int first) {
        long length = first;
        if (first == GOES_ON) {
            int more;
            do {
                more = next();
                length += more;
            } while (more == 0xFF);
        }
        return length;
    }

    private void literals(long length) {
        MemorySegment.copy(frame, at, target, filled, length);
        at += length;
        filled += length;
    }

    /// Copies what was written `distance` bytes before; a match longer than that repeats it.
    private void match(int distance, long length) {
        long from = filled - distance;
        if (distance == 0 || from < 0 || length > target.byteSize() - filled) {
            throw FormatException.because("Arrow: a frame of LZ4 is damaged");
        }
        for (long left = length; left > 0; ) {
            long part = Math.min(left, filled - from); // doubles with each round
            MemorySegment.copy(target, from, target, filled, part);
            filled += part;
            left -= part;
        }
    }

    private int word() {
        int word = frame.get(INT, at);
        at += Integer.BYTES;
        return word;
    }

    private int next() {
        return frame.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }
}
