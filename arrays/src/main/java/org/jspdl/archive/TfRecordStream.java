package org.jspdl.archive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;
import java.util.zip.CRC32C;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.input.FormatException;

/// TFRecords read once, from front to back, with the checks of [TfRecords].
///
/// [#advance] moves to the next record, [#read] reads its content into memory of the right size; a record that is not
/// read is passed, and only its length is verified. Used by one thread at a time.
public final class TfRecordStream implements AutoCloseable {
    private final BufferedBytes input;
    private final MemorySegment frame = MemorySegment.ofArray(new byte[TfRecords.HEADER_BYTES]);
    private final CRC32C crc = new CRC32C();
    private long offset;
    private long length;
    private long nextOffset;
    private boolean pending;

    private TfRecordStream(ReadableByteChannel channel, long offset) {
        this.input = new BufferedBytes(channel, offset);
    }

    /// Reads from `channel`, which this stream owns from here and which is at byte `offset` of the file: where a
    /// record begins.
    public static TfRecordStream over(ReadableByteChannel channel, long offset) {
        return new TfRecordStream(channel, offset);
    }

    /// Moves to the next record; false at the end of the file.
    ///
    /// @throws FormatException if the file is truncated, or the length is damaged
    public boolean advance() throws IOException {
        if (pending) {
            long rest = length + TfRecords.FOOTER_BYTES;
            long passed = input.skip(rest);
            if (passed < rest) {
                throw TfRecords.truncated(offset, length, Math.min(passed, length));
            }
            pending = false;
        }
        offset = input.position();
        long read = input.read(frame);
        if (read == 0) {
            nextOffset = offset;
            return false;
        }
        if (read < TfRecords.HEADER_BYTES) {
            throw TfRecords.truncated(offset, TfRecords.HEADER_BYTES, read);
        }
        length = TfRecords.length(frame, 0, offset, crc);
        if (length > Long.MAX_VALUE - 64) {
            throw TfRecords.truncated(offset, length, 0);
        }
        nextOffset = offset + TfRecords.HEADER_BYTES + length + TfRecords.FOOTER_BYTES;
        pending = true;
        return true;
    }

    /// Where the record begins.
    public long offset() {
        return offset;
    }

    /// Where the content of the record begins.
    public long dataOffset() {
        return offset + TfRecords.HEADER_BYTES;
    }

    /// Where the next record begins.
    public long nextOffset() {
        return nextOffset;
    }

    /// The bytes of the record's content.
    public long byteSize() {
        return length;
    }

    /// Reads the content of the record, once, into the first [#byteSize] bytes of `target` and verifies it.
    ///
    /// @throws FormatException if it is truncated or damaged
    public void read(MemorySegment target) throws IOException {
        if (!pending) {
            throw new IllegalStateException("there is no record to read: advance() comes before each");
        }
        MemorySegment content = target.asSlice(0, length);
        pending = false;
        long read = input.read(content);
        if (read < length || input.read(frame.asSlice(0, TfRecords.FOOTER_BYTES)) < TfRecords.FOOTER_BYTES) {
            throw TfRecords.truncated(offset, length, read);
        }
        TfRecords.check(content, LittleEndian.i32(frame, 0), offset, crc);
    }

    /// Closes the channel.
    @Override
    public void close() throws IOException {
        input.close();
    }
}
