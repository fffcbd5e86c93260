package org.jspdl.media.encode;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvIo;
import org.jspdl.memory.SegmentBuffers;

/// Where a muxer writes: a file, or memory.
public abstract class MediaTarget implements AutoCloseable {
    private final String name;

    private MediaTarget(String name) {
        this.name = name;
    }

    /// A file, which is replaced if it is there.
    ///
    /// @throws MediaException if it can't be written
    public static MediaTarget of(Path path) {
        try {
            return new FileTarget(
                    path,
                    FileChannel.open(
                            path,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE));
        } catch (IOException unwritable) {
            throw MediaException.of(path.toString(), "cannot be written: " + unwritable.getMessage(), unwritable);
        }
    }

    /// Memory that grows; [Memory#toByteArray] gives what was written.
    public static Memory memory() {
        return new Memory();
    }

    String name() {
        return name;
    }

    abstract AvIo.Bytes bytes();

    @Override
    public abstract void close();

    /// Bytes that are written somewhere and never read.
    private abstract static class Written implements AvIo.Bytes {
        long position;

        @Override
        public int read(MemorySegment into) {
            throw new UnsupportedOperationException("a target is not read");
        }

        @Override
        public void seek(long to) {
            position = to;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public boolean isSeekable() {
            return true;
        }
    }

    private static final class FileTarget extends MediaTarget {
        private final FileChannel channel;

        FileTarget(Path path, FileChannel channel) {
            super(path.toString());
            this.channel = channel;
        }

        @Override
        AvIo.Bytes bytes() {
            return new Written() {
                @Override
                public void write(MemorySegment from) throws IOException {
                    SegmentBuffers.write(channel, position, from);
                    position += from.byteSize();
                }

                @Override
                public long byteSize() throws IOException {
                    return channel.size();
                }
            };
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException failure) {
                throw MediaException.of(name(), "cannot be closed: " + failure.getMessage(), failure);
            }
        }
    }

    /// A file in memory.
    public static final class Memory extends MediaTarget {
        private byte[] content = new byte[1 << 16];
        private int length;

        private Memory() {
            super("memory");
        }

        @Override
        AvIo.Bytes bytes() {
            return new Written() {
                @Override
                public void write(MemorySegment from) {
                    long end = position + from.byteSize();
                    if (end > Integer.MAX_VALUE - 64) {
                        throw new IllegalStateException("more than 2 GiB are written to memory");
                    }
                    if (end > content.length) {
                        content = Arrays.copyOf(content, (int) Math.max(end, Math.min(2L * content.length, 1L << 30)));
                    }
                    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, content, (int) position, (int) from.byteSize());
                    position = end;
                    length = (int) Math.max(length, end);
                }

                @Override
                public long byteSize() {
                    return length;
                }
            };
        }

        /// What was written so far; a copy.
        public byte[] toByteArray() {
            return Arrays.copyOf(content, length);
        }

        @Override
        public void close() {}
    }
}
