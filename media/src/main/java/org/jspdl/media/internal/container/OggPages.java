package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Follows the pages of an Ogg file (RFC 3533): each has a checksum, and the next number of its stream.
///
/// What was cut out of a longer recording has its headers before pages with other numbers, so that those are compared
/// from the first page on that has sound or pictures, and behind bytes that are no page, of which some files have a few
/// with nothing missing. Behind the last page of a stream that says so there may be anything.
final class OggPages implements BrokenPlaces.Structure {
    static final int MAGIC = 0x4F676753;

    private static final int HEADER_BYTES = 27;
    private static final int MOST_SEGMENTS = 255;
    private static final int MAGIC_BYTES = 4;
    private static final int FLAGS = 5;
    private static final int TIME = 6;
    private static final int SERIAL = 14;
    private static final int NUMBER = 18;
    private static final int CHECKSUM = 22;
    private static final int SEGMENTS = 26;
    private static final int BEGINS = 2;
    private static final int ENDS = 4;
    private static final long UNKNOWN = BrokenPlaces.NOWHERE;

    private final BrokenPlaces broken;
    private final ByteBuffer header =
            ByteBuffer.allocate(HEADER_BYTES + MOST_SEGMENTS).order(ByteOrder.LITTLE_ENDIAN);
    /// The number that the next page of each stream has, and the streams of which there were more than headers.
    private final Map<Integer, Integer> numbers = new HashMap<>();

    private final Set<Integer> begun = new HashSet<>();
    /// Where the bytes that follow each other end so far.
    private long end;
    /// Where a page should begin.
    private long expected = UNKNOWN;
    /// Where the present one begins, how many bytes of its header are known, and how many of its content are to
    /// come.
    private long page;

    private int held;
    private int left;
    private final OggChecksum checksum = new OggChecksum();
    /// The last four bytes, while a page is looked for.
    private int last;
    /// Whether the stream of the last page ended with it.
    private boolean hasEnded;

    OggPages(BrokenPlaces broken) {
        this.broken = broken;
    }

    @Override
    public void follow(long position, MemorySegment bytes) {
        if (position != end) {
            expected = UNKNOWN;
            numbers.clear();
            begun.clear();
            look();
        }
        end = position + bytes.byteSize();
        long at = 0;
        while (at < bytes.byteSize()) {
            if (left > 0) {
                long stop = Math.min(bytes.byteSize(), at + left);
                left -= (int) (stop - at);
                checksum.add(bytes, at, stop);
                at = stop;
                if (left == 0) {
                    finish();
                }
            } else if (held > 0) {
                takeHeader(bytes.get(ValueLayout.JAVA_BYTE, at++));
            } else {
                find(bytes.get(ValueLayout.JAVA_BYTE, at), position + at);
                at++;
            }
        }
    }

    private void look() {
        held = 0;
        left = 0;
        last = 0;
    }

    private void find(byte next, long at) {
        last = (last << Byte.SIZE) | (next & 0xFF);
        if (last == MAGIC) {
            page = at + 1 - MAGIC_BYTES;
            header.putInt(0, Integer.reverseBytes(MAGIC));
            held = MAGIC_BYTES;
            last = 0;
        }
    }

    @Override
    public long brokenEnd() {
        boolean isInPage = held > 0 || left > 0;
        boolean isBehindOthers = expected != UNKNOWN && end - expected >= MAGIC_BYTES;
        return hasEnded || !(isInPage || isBehindOthers) ? UNKNOWN : isInPage ? page : expected;
    }

    private void takeHeader(byte next) {
        header.put(held, next);
        held++;
        if (held == FLAGS && next != 0) {
            look(); // of no version that there is: no page
        } else if (held >= HEADER_BYTES && held == HEADER_BYTES + (header.get(SEGMENTS) & 0xFF)) {
            begin();
        }
    }

    private void begin() {
        int said = header.getInt(CHECKSUM);
        header.putInt(CHECKSUM, 0);
        checksum.begin();
        checksum.add(MemorySegment.ofBuffer(header), 0, held);
        header.putInt(CHECKSUM, said);
        for (int i = HEADER_BYTES; i < held; i++) {
            left += header.get(i) & 0xFF;
        }
        if (left == 0) {
            finish();
        }
    }

    private void finish() {
        long bytes = held;
        for (int i = HEADER_BYTES; i < held; i++) {
            bytes += header.get(i) & 0xFF;
        }
        if (checksum.sum() == header.getInt(CHECKSUM)) {
            number();
            hasEnded = (header.get(FLAGS) & ENDS) != 0;
        } else {
            broken.add(page);
            hasEnded = false;
        }
        expected = page + bytes;
        look();
    }

    private void number() {
        int serial = header.getInt(SERIAL);
        int number = header.getInt(NUMBER);
        Integer next = numbers.put(serial, number + 1);
        if ((header.get(FLAGS) & BEGINS) != 0) {
            begun.remove(serial);
            return;
        }
        boolean isBehindOthers = expected != UNKNOWN && page != expected;
        if (next != null && next != number && (isBehindOthers || begun.contains(serial))) {
            broken.add(page);
        }
        if (header.getLong(TIME) > 0) {
            begun.add(serial);
        }
    }
}
