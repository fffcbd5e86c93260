package org.jspdl.archive;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.jspdl.memory.SegmentBuffers;

/// Writes files into a TAR archive: ustar, with PAX records where names or sizes ask for them.
///
/// The archive has its end marker when the writer is closed. Used by one thread at a time.
public final class TarWriter implements AutoCloseable {
    private static final int NUMBER_BYTES = 11;
    private static final long LARGEST_OCTAL = (1L << 33) - 1;
    private static final byte[] ZEROS = new byte[2 * TarHeader.BLOCK];

    private final WritableByteChannel channel;
    private long position;
    private boolean closed;

    private TarWriter(WritableByteChannel channel) {
        this.channel = channel;
    }

    /// Begins an archive at `path`, replacing what is there.
    public static TarWriter create(Path path) throws IOException {
        return over(FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    /// Writes an archive to `channel`, which the writer owns from here.
    public static TarWriter over(WritableByteChannel channel) {
        return new TarWriter(channel);
    }

    /// How many bytes have been written: where the next entry begins.
    public long position() {
        return position;
    }

    /// Writes a file called `name`, dated 1970, so that equal content makes equal archives.
    public void add(String name, MemorySegment content) throws IOException {
        add(name, content, Instant.EPOCH);
    }

    /// Writes a file called `name` that was modified at `modified`, to the second.
    ///
    /// @throws IllegalArgumentException if the name is empty, ends with a slash or holds a zero character
    public void add(String name, MemorySegment content, Instant modified) throws IOException {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length == 0 || name.endsWith("/") || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a file in an archive cannot be called '" + name + "'");
        }
        long size = content.byteSize();
        int split = split(path);
        StringBuilder records = new StringBuilder();
        if (split < 0 || !isAscii(path)) {
            record(records, "path", name);
        }
        if (size > LARGEST_OCTAL) {
            record(records, "size", Long.toString(size));
        }
        if (!records.isEmpty()) {
            byte[] text = records.toString().getBytes(StandardCharsets.UTF_8);
            write(header("PaxHeader".getBytes(StandardCharsets.US_ASCII), 0, 'x', text.length, 0));
            write(MemorySegment.ofArray(text));
            fill(text.length);
        }
        long seconds = Math.clamp(modified.getEpochSecond(), 0, LARGEST_OCTAL);
        write(header(path, Math.max(0, split), '0', size > LARGEST_OCTAL ? 0 : size, seconds));
        write(content);
        fill(size);
    }

    /// Where a path is divided into prefix and name: at a slash, or at 0; -1 if it is too long.
    private static int split(byte[] path) {
        if (path.length <= TarHeader.NAME_BYTES) {
            return 0;
        }
        for (int i = Math.max(1, path.length - TarHeader.NAME_BYTES - 1); i < path.length - 1; i++) {
            if (path[i] == '/') {
                return i <= TarHeader.PREFIX_BYTES ? i : -1;
            }
        }
        return -1;
    }

    private static boolean isAscii(byte[] path) {
        for (byte character : path) {
            if (character < 0) {
                return false;
            }
        }
        return true;
    }

    /// A line that begins with its own length in bytes.
    private static void record(StringBuilder records, String key, String value) {
        int rest = (" " + key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8).length;
        int length = rest + 1;
        while (length != rest + Integer.toString(length).length()) {
            length = rest + Integer.toString(length).length();
        }
        records.append(length).append(' ').append(key).append('=').append(value).append('\n');
    }

    private static MemorySegment header(byte[] path, int split, char type, long size, long seconds) {
        byte[] block = new byte[TarHeader.BLOCK];
        int from = split == 0 ? 0 : split + 1;
        System.arraycopy(path, from, block, 0, Math.min(TarHeader.NAME_BYTES, path.length - from));
        System.arraycopy(path, 0, block, TarHeader.PREFIX, split);
        octal(block, TarHeader.MODE, 7, 0644);
        octal(block, 108, 7, 0);
        octal(block, 116, 7, 0);
        octal(block, TarHeader.SIZE, NUMBER_BYTES, size);
        octal(block, TarHeader.TIME, NUMBER_BYTES, seconds);
        block[TarHeader.TYPE] = (byte) type;
        byte[] magic = "ustar\00000".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(magic, 0, block, TarHeader.MAGIC, magic.length);
        java.util.Arrays.fill(block, TarHeader.CHECKSUM, TarHeader.CHECKSUM + 8, (byte) ' ');
        octal(block, TarHeader.CHECKSUM, 6, TarHeader.sum(MemorySegment.ofArray(block), 0));
        block[TarHeader.CHECKSUM + 6] = 0;
        return MemorySegment.ofArray(block);
    }

    private static void octal(byte[] block, int at, int digits, long value) {
        long rest = value;
        for (int i = digits - 1; i >= 0; i--) {
            block[at + i] = (byte) ('0' + (rest & 7));
            rest >>>= 3;
        }
    }

    private void fill(long size) throws IOException {
        write(MemorySegment.ofArray(ZEROS).asSlice(0, TarParser.padded(size) - size));
    }

    private void write(MemorySegment bytes) throws IOException {
        SegmentBuffers.write(channel, bytes);
        position += bytes.byteSize();
    }

    /// Writes the end marker and closes the channel; closing again is harmless.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            write(MemorySegment.ofArray(ZEROS));
        }
    }
}
