package org.jspdl.media.image;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Writes pictures as PNG files: for each row the filter that leaves the smallest numbers, then zlib.
final class PngWriter {
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int FILTERS = 5;
    private static final int CHUNK_FRAME = 12;
    private static final int HEADER_BYTES = 13;
    private static final ValueLayout.OfInt BIG = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private PngWriter() {}

    /// The file of `height` rows of `width` interleaved pixels, in memory of `arena`.
    ///
    /// @param deep whether a channel has 16 bits, in the machine's order
    static MemorySegment write(
            MemorySegment pixels, int width, int height, int channels, boolean deep, int level, Arena arena) {
        int pixelBytes = channels * (deep ? 2 : 1);
        int rowBytes = Math.multiplyExact(width, pixelBytes);
        long most = deflatedAtMost((long) height * (rowBytes + 1L)) + SIGNATURE.length + 3 * CHUNK_FRAME + HEADER_BYTES;
        MemorySegment file = arena.allocate(most);
        MemorySegment.copy(SIGNATURE, 0, file, ValueLayout.JAVA_BYTE, 0, SIGNATURE.length);
        long at = SIGNATURE.length;
        file.set(BIG, at + 8, width);
        file.set(BIG, at + 12, height);
        file.set(ValueLayout.JAVA_BYTE, at + 16, (byte) (deep ? 16 : 8));
        file.set(ValueLayout.JAVA_BYTE, at + 17, (byte) (channels == 1 ? 0 : channels == 3 ? 2 : 6));
        at = chunk(file, at, "IHDR", HEADER_BYTES);
        long size = deflate(pixels, rowBytes, height, pixelBytes, deep, level, file, at + 8);
        at = chunk(file, at, "IDAT", size);
        at = chunk(file, at, "IEND", 0);
        return file.asSlice(0, at);
    }

    /// The largest zlib output for this number of bytes, with blocks that cannot be compressed.
    private static long deflatedAtMost(long bytes) {
        return bytes + bytes / 1000 + 1024;
    }

    /// Completes the chunk at `at`, whose content is there; returns where the next begins.
    private static long chunk(MemorySegment file, long at, String type, long size) {
        file.set(BIG, at, Math.toIntExact(size));
        MemorySegment.copy(type.getBytes(StandardCharsets.US_ASCII), 0, file, ValueLayout.JAVA_BYTE, at + 4, 4);
        CRC32 checksum = new CRC32();
        checksum.update(file.asSlice(at + 4, 4 + size).asByteBuffer());
        file.set(BIG, at + 8 + size, (int) checksum.getValue());
        return at + CHUNK_FRAME + size;
    }

    private static long deflate(
            MemorySegment pixels,
            int rowBytes,
            int height,
            int pixelBytes,
            boolean deep,
            int level,
            MemorySegment file,
            long at) {
        byte[] above = new byte[rowBytes];
        byte[] row = new byte[rowBytes];
        byte[][] filtered = new byte[FILTERS][rowBytes + 1];
        byte[] out = new byte[1 << 14];
        long written = 0;
        try (Deflater deflater = new Deflater(level)) {
            for (int y = 0; y < height; y++) {
                MemorySegment.copy(pixels, ValueLayout.JAVA_BYTE, (long) y * rowBytes, row, 0, rowBytes);
                if (deep && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
                    swap(row);
                }
                deflater.setInput(level == 0 ? plain(row, filtered[0]) : best(row, above, pixelBytes, filtered));
                while (!deflater.needsInput()) {
                    written += drain(deflater, out, file, at + written);
                }
                byte[] swapped = above;
                above = row;
                row = swapped;
            }
            deflater.finish();
            while (!deflater.finished()) {
                written += drain(deflater, out, file, at + written);
            }
        }
        return written;
    }

    private static int drain(Deflater deflater, byte[] out, MemorySegment file, long at) {
        int n = deflater.deflate(out);
        MemorySegment.copy(out, 0, file, ValueLayout.JAVA_BYTE, at, n);
        return n;
    }

    private static void swap(byte[] row) {
        for (int i = 0; i + 1 < row.length; i += 2) {
            byte low = row[i];
            row[i] = row[i + 1];
            row[i + 1] = low;
        }
    }

    private static byte[] plain(byte[] row, byte[] into) {
        into[0] = 0;
        System.arraycopy(row, 0, into, 1, row.length);
        return into;
    }

    /// The row by the filter whose results have the smallest sum of magnitudes, the usual guess at what compresses
    /// best.
    private static byte[] best(byte[] row, byte[] above, int pixelBytes, byte[][] filtered) {
        int chosen = 0;
        long least = Long.MAX_VALUE;
        for (int filter = 0; filter < FILTERS; filter++) {
            byte[] into = filtered[filter];
            into[0] = (byte) filter;
            long sum = 0;
            for (int i = 0; i < row.length; i++) {
                int left = i < pixelBytes ? 0 : row[i - pixelBytes] & 0xFF;
                int up = above[i] & 0xFF;
                int corner = i < pixelBytes ? 0 : above[i - pixelBytes] & 0xFF;
                byte value = (byte) (row[i] - predicted(filter, left, up, corner));
                into[i + 1] = value;
                sum += Math.abs(value);
            }
            if (sum < least) {
                least = sum;
                chosen = filter;
            }
        }
        return filtered[chosen];
    }

    private static int predicted(int filter, int left, int up, int corner) {
        return switch (filter) {
            case 0 -> 0;
            case 1 -> left;
            case 2 -> up;
            case 3 -> (left + up) / 2;
            default -> {
                int estimate = left + up - corner;
                int toLeft = Math.abs(estimate - left);
                int toUp = Math.abs(estimate - up);
                int toCorner = Math.abs(estimate - corner);
                yield toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
            }
        };
    }
}
