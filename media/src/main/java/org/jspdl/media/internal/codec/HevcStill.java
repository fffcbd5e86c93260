package org.jspdl.media.internal.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.natives.Scratch;

/// Makes a coded picture of a HEIC file a stream that decoders of HEVC take: its parameter sets, which lie elsewhere
/// in the file (ISO 14496-15, 8.3.3.1), and its units, each behind a start code (ITU-T H.265, annex B).
final class HevcStill implements AutoCloseable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int START_CODE = 1;
    private static final int START_CODE_BYTES = 4;
    private static final long LENGTH_BYTES = 21;
    private static final long ARRAYS = 22;

    private final Scratch memory = new Scratch();
    private MemorySegment stream = MemorySegment.NULL;
    private long written;

    /// The stream; valid until the next call.
    ///
    /// @throws DecodeException if a unit is longer than what is left of the file's part
    MemorySegment of(MemorySegment file, ImageHeader.Part picture, ImageHeader.Part setup) {
        MemorySegment units = picture.of(file);
        MemorySegment sets = setup.of(file);
        int lengthBytes = (sets.get(ValueLayout.JAVA_BYTE, LENGTH_BYTES) & 3) + 1;
        // a unit of one byte, of which one more says so, becomes five
        long most = 3 * units.byteSize() + 2 * sets.byteSize() + START_CODE_BYTES;
        stream = memory.atLeast(lengthBytes == START_CODE_BYTES ? units.byteSize() + 2 * sets.byteSize() : most);
        written = 0;
        parameterSets(sets);
        long at = 0;
        while (at < units.byteSize()) {
            require(units, at, lengthBytes);
            long length = 0;
            for (int i = 0; i < lengthBytes; i++) {
                length = (length << Byte.SIZE) | (units.get(ValueLayout.JAVA_BYTE, at + i) & 0xFF);
            }
            at = unit(units, at + lengthBytes, length);
        }
        return stream.asSlice(0, written);
    }

    private void parameterSets(MemorySegment sets) {
        int arrays = sets.get(ValueLayout.JAVA_BYTE, ARRAYS) & 0xFF;
        long at = ARRAYS + 1;
        for (int i = 0; i < arrays; i++) {
            require(sets, at, 3);
            int count = sets.get(SHORT, at + 1) & 0xFFFF;
            at += 3;
            for (int k = 0; k < count; k++) {
                require(sets, at, 2);
                at = unit(sets, at + 2, sets.get(SHORT, at) & 0xFFFF);
            }
        }
    }

    /// Adds a unit, and says where the next one is.
    private long unit(MemorySegment from, long at, long length) {
        require(from, at, length);
        if (length > 0) {
            stream.set(INT, written, START_CODE);
            MemorySegment.copy(from, at, stream, written + START_CODE_BYTES, length);
            written += START_CODE_BYTES + length;
        }
        return at + length;
    }

    private static void require(MemorySegment part, long at, long length) {
        if (length > part.byteSize() - at) {
            throw DecodeException.because(String.format(
                    "HEIC: a unit of %,d bytes begins %,d bytes before the end of its part",
                    length, part.byteSize() - at));
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
