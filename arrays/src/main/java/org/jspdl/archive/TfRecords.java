package org.jspdl.archive;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.zip.CRC32C;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.input.FormatException;
import org.jspdl.memory.SegmentBuffers;

/// A TFRecord file in memory: records viewed where they lie, both checksums of each verified.
///
/// A record is its length (8 bytes), the masked CRC-32C of the length (4), the content, and the content's masked
/// CRC-32C (4). Safe for any number of threads, an iterator for one. A file [#open]ed is mapped until it is closed; one
/// [#over] memory borrows it. Where such a file becomes shorter, iterating throws an [UncheckedIOException], and
/// reading a view an [InternalError]. [TfRecordStream] reads what is not in memory.
public final class TfRecords implements Iterable<MemorySegment>, AutoCloseable {
    static final int HEADER_BYTES = 12;
    static final int FOOTER_BYTES = 4;
    private static final int MASK_DELTA = 0xa282ead8;

    private final MappedFile bytes;

    private TfRecords(MappedFile bytes) {
        this.bytes = bytes;
    }

    /// The records in `bytes`, which stay the caller's.
    public static TfRecords over(MemorySegment bytes) {
        return new TfRecords(MappedFile.borrowed(bytes));
    }

    /// Maps the file at `path`.
    ///
    /// @throws UncheckedIOException if it cannot be read
    public static TfRecords open(Path path) {
        return new TfRecords(MappedFile.map(path));
    }

    /// The records, in order; each a read-only view.
    @Override
    public Iterator<MemorySegment> iterator() {
        return new Records(bytes);
    }

    /// The length that a header gives.
    ///
    /// @param at where the header is, at least 12 bytes long
    /// @param offset where that is in the whole, for messages
    static long length(MemorySegment header, long at, long offset, CRC32C crc) {
        if (masked(header.asSlice(at, 8), crc) != LittleEndian.i32(header, at + 8)) {
            throw FormatException.at(
                    offset,
                    "TFRecord: the length of the record is damaged: its checksum is wrong"
                            + (offset == 0 ? ", or this is no TFRecord file" : ""));
        }
        long length = LittleEndian.i64(header, at);
        if (length < 0) {
            throw FormatException.at(offset, "TFRecord: the record has more than 2^63 bytes");
        }
        return length;
    }

    static void check(MemorySegment content, int expected, long offset, CRC32C crc) {
        if (masked(content, crc) != expected) {
            throw FormatException.at(
                    offset,
                    String.format(
                            "TFRecord: the content of the record of %,d bytes is damaged: its checksum is wrong",
                            content.byteSize()));
        }
    }

    static FormatException truncated(long offset, long needed, long there) {
        return FormatException.at(
                offset,
                String.format(
                        "TFRecord: the file is truncated: the record takes %,d bytes, %,d are there", needed, there));
    }

    /// The checksum as the format writes it, so that a checksum of checksums is not weak.
    static int masked(MemorySegment bytes, CRC32C crc) {
        crc.reset();
        SegmentBuffers.update(crc, bytes);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
    }

    /// Unmaps what [#open] has mapped; views of it must not be used any more.
    @Override
    public void close() {
        bytes.close();
    }

    private static final class Records implements Iterator<MemorySegment> {
        private final MappedFile bytes;
        private final MemorySegment file;
        private final CRC32C crc = new CRC32C();
        private long at;

        Records(MappedFile bytes) {
            this.bytes = bytes;
            this.file = bytes.segment();
        }

        @Override
        public boolean hasNext() {
            return at < file.byteSize();
        }

        @Override
        public MemorySegment next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return bytes.read(this::checked);
        }

        private MemorySegment checked() {
            long left = file.byteSize() - at - HEADER_BYTES;
            if (left < 0) {
                throw truncated(at, HEADER_BYTES, file.byteSize() - at);
            }
            long length = length(file, at, at, crc);
            if (left - FOOTER_BYTES < length) {
                throw truncated(at, length, Math.max(0, left));
            }
            MemorySegment content = file.asSlice(at + HEADER_BYTES, length);
            check(content, LittleEndian.i32(file, at + HEADER_BYTES + length), at, crc);
            at += HEADER_BYTES + length + FOOTER_BYTES;
            return content;
        }
    }
}
