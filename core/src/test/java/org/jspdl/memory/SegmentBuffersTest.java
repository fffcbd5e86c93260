package org.jspdl.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentBuffersTest {
    @Test
    void memoryBeyondTwoGibibytesIsViewedInPieces(@TempDir Path folder) throws IOException {
        long size = (5L << 29) + 3;
        try (Arena arena = Arena.ofConfined();
                FileChannel sparse = FileChannel.open(
                        folder.resolve("sparse"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            MemorySegment mapped = sparse.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            List<Integer> pieces = new ArrayList<>();
            SegmentBuffers.of(mapped).forEach(piece -> pieces.add(piece.remaining()));
            assertEquals(List.of(1 << 30, 1 << 30, (1 << 29) + 3), pieces);
        }
    }

    @Test
    void whatIsWrittenAtAPlaceIsReadThere(@TempDir Path folder) throws IOException {
        byte[] content = {1, 2, 3, 4, 5};
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            SegmentBuffers.write(file, 2, MemorySegment.ofArray(content));
            assertEquals(0, file.position());
            byte[] back = new byte[6];
            assertEquals(5, SegmentBuffers.read(file, 2, MemorySegment.ofArray(back)));
            assertEquals(ByteBuffer.wrap(content), ByteBuffer.wrap(back, 0, 5));
            assertThatThrownBy(() -> SegmentBuffers.readFully(file, 2, MemorySegment.ofArray(back)))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("1 bytes");
        }
    }

    @Test
    void arraysOfNumbersAreWrittenAsTheirBytesAndNeverReadInto(@TempDir Path folder) throws IOException {
        try (FileChannel file = FileChannel.open(
                folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment numbers = MemorySegment.ofArray(new int[] {7, -1});
            SegmentBuffers.write(file, numbers);
            assertEquals(8, file.position());
            assertThrows(IllegalArgumentException.class, () -> SegmentBuffers.read(file, 0, numbers));
            MemorySegment back = MemorySegment.ofArray(new byte[8]);
            SegmentBuffers.readFully(file, 0, back);
            assertEquals(-1, back.get(ValueLayout.JAVA_INT_UNALIGNED, Integer.BYTES));
        }
    }

    @Test
    void aChecksumIsThatOfAllBytes() {
        byte[] content = {9, 8, 7};
        CRC32 expected = new CRC32();
        expected.update(content);
        CRC32 crc = new CRC32();
        SegmentBuffers.update(crc, MemorySegment.ofArray(content).asReadOnly());
        assertEquals(expected.getValue(), crc.getValue());
    }
}
