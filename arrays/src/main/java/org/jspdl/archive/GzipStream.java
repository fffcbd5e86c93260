package org.jspdl.archive;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspdl.input.FormatException;

/// A gzipped file decompressed once, from front to back: the content of all its members, one behind the other, as `cat`
/// joins them.
///
/// What is damaged is a [FormatException], also behind the first member: bytes that are no member are not taken for the
/// end, as the JDK's `GZIPInputStream` takes them, which takes a failure to read them for the end, too. Zeros that fill
/// a block behind the last member are passed. The checksum of a member is verified at its end. One thread.
public final class GzipStream extends InputStream {
    private static final int BUFFER = 1 << 16;
    private static final int MAGIC_FIRST = 0x1f;
    private static final int MAGIC_SECOND = 0x8b;
    private static final int DEFLATED = 8;
    private static final int HEADER_CHECKSUM = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;
    private static final int RESERVED = 0b1110_0000;
    /// Behind the flags: a time, how it was compressed, and on what system.
    private static final int ABOUT_BYTES = 6;

    private final InputStream file;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private boolean ended;

    private GzipStream(InputStream file) {
        this.file = file;
    }

    /// Reads from `file`, which is at the beginning of a member and which this stream owns from here, also if this
    /// throws.
    ///
    /// @throws FormatException if it does not begin as gzip does
    public static GzipStream over(InputStream file) throws IOException {
        GzipStream gzip = new GzipStream(file);
        try {
            gzip.beginMember(gzip.required());
            return gzip;
        } catch (Throwable failure) {
            gzip.close();
            throw failure;
        }
    }

    private static FormatException broken(String how) {
        return FormatException.because("gzip: the file is truncated or corrupt: " + how);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, target.length);
        int count = 0;
        while (count == 0 && length > 0) {
            if (ended) {
                return -1;
            }
            count = inflate(target, from, length);
        }
        return count;
    }

    /// Decompresses some bytes, or else does what must be done before there are more.
    private int inflate(byte[] target, int from, int length) throws IOException {
        int count;
        try {
            count = inflater.inflate(target, from, length);
        } catch (DataFormatException damaged) {
            throw broken(String.valueOf(damaged.getMessage()));
        }
        if (count > 0) {
            crc.update(target, from, count);
        } else if (inflater.finished()) {
            at = end - inflater.getRemaining();
            endMember();
        } else if (inflater.needsDictionary()) {
            throw broken("it was compressed with a dictionary");
        } else {
            if (!fill()) {
                throw broken("it ends within its compressed data");
            }
            give();
        }
        return count;
    }

    private void give() {
        inflater.setInput(buffer, at, end - at);
        at = end;
    }

    private void endMember() throws IOException {
        long checksum = word();
        long size = word();
        if (checksum != crc.getValue() || size != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
            throw broken("the checksum or the size behind its data is wrong");
        }
        int first = next();
        while (first == 0) {
            first = next();
        }
        if (first < 0) {
            ended = true;
        } else {
            beginMember(first);
        }
    }

    /// Reads the header of a member, whose first byte was read.
    private void beginMember(int first) throws IOException {
        crc.reset();
        crc.update(first);
        if (first != MAGIC_FIRST || header() != MAGIC_SECOND) {
            throw broken("there is something that is no gzip where a member begins");
        }
        int method = header();
        int flags = header();
        if (method != DEFLATED || (flags & RESERVED) != 0) {
            throw broken("it is compressed in a way that is not known");
        }
        skip(ABOUT_BYTES);
        if ((flags & EXTRA) != 0) {
            skip(header() | header() << 8);
        }
        for (int text = flags & (NAME | COMMENT); text != 0; text &= text - 1) {
            while (header() != 0) {
                // a text ends with a zero
            }
        }
        if ((flags & HEADER_CHECKSUM) != 0) {
            int expected = (int) crc.getValue() & 0xFFFF;
            if ((required() | required() << 8) != expected) {
                throw broken("the checksum of a header is wrong");
            }
        }
        crc.reset();
        inflater.reset();
        give();
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            header();
        }
    }

    private int header() throws IOException {
        int next = required();
        crc.update(next);
        return next;
    }

    private long word() throws IOException {
        long word = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            word |= (long) required() << shift;
        }
        return word;
    }

    private int required() throws IOException {
        int next = next();
        if (next < 0) {
            throw broken("it ends before or behind its compressed data");
        }
        return next;
    }

    private int next() throws IOException {
        return at == end && !fill() ? -1 : buffer[at++] & 0xFF;
    }

    private boolean fill() throws IOException {
        int count;
        do {
            count = file.read(buffer, 0, buffer.length);
        } while (count == 0);
        at = 0;
        end = Math.max(0, count);
        return end > 0;
    }

    /// Closes the file.
    @Override
    public void close() throws IOException {
        inflater.close();
        file.close();
    }
}
