package org.jspdl.media.stream;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspdl.files.MappedInput;
import org.jspdl.media.internal.container.BrokenPlaces;
import org.jspdl.media.internal.container.ClaimedEnd;
import org.jspdl.media.internal.container.LostBytes;
import org.jspdl.media.internal.container.TransportCounters;
import org.jspdl.media.internal.ffmpeg.AvIo;
import org.jspecify.annotations.Nullable;

/// The bytes of an open source, read by FFmpeg through callbacks.
abstract class SourceBytes implements AvIo.Bytes, AutoCloseable {
    private static final int FILE_BUFFER = 1 << 16;

    long position;
    private final TransportCounters counters = new TransportCounters();
    private final ClaimedEnd claimed = new ClaimedEnd();
    private final BrokenPlaces broken = new BrokenPlaces();
    private @Nullable Deadline deadline;

    /// What is lost of a file of `format`, as far as it was read.
    LostBytes lost(String format) {
        return new LostBytes(format, isSeekable(), counters, broken);
    }

    /// Whether a file of `size` bytes ends before its container says that it does, as far as that was read.
    boolean isCut(long size) {
        return claimed.isBehind(size);
    }

    /// Lets every read look at `checked` first.
    void checks(Deadline checked) {
        deadline = checked;
    }

    abstract int readAt(long from, MemorySegment into) throws IOException;

    @Override
    public int read(MemorySegment into) throws IOException {
        if (deadline != null) {
            deadline.check();
        }
        int read = readAt(position, into);
        if (read > 0) {
            counters.follow(position, into.asSlice(0, read));
            claimed.follow(position, into.asSlice(0, read));
            broken.follow(position, into.asSlice(0, read));
            position += read;
        }
        return read;
    }

    @Override
    public void write(MemorySegment from) {
        throw new UnsupportedOperationException("a source is not written to");
    }

    @Override
    public void seek(long to) throws IOException {
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

    /// How many bytes to read at a time.
    int bufferBytes() {
        return FILE_BUFFER;
    }

    @Override
    public abstract long byteSize() throws IOException;

    @Override
    public void close() throws IOException {}

    /// What is from `begin` to before `end`; closing it closes this.
    SourceBytes part(long begin, long end) {
        SourceBytes all = this;
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) throws IOException {
                long left = Math.min(into.byteSize(), end - begin - from);
                return left <= 0 ? -1 : all.readAt(begin + from, into.asSlice(0, left));
            }

            @Override
            public long byteSize() {
                return end - begin;
            }

            @Override
            public boolean isSeekable() {
                return all.isSeekable();
            }

            @Override
            int bufferBytes() {
                return all.bufferBytes();
            }

            @Override
            public void close() throws IOException {
                all.close();
            }
        };
    }

    static SourceBytes ofFile(Path path) throws IOException {
        try {
            return ofOwn(FileChannel.open(path));
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no such file", missing);
        }
    }

    private static SourceBytes ofOwn(FileChannel channel) throws IOException {
        long size = channel.size();
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) throws IOException {
                return checked(channel.read(into.asByteBuffer(), from), from, channel, size);
            }

            @Override
            public long byteSize() throws IOException {
                return channel.size();
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    /// How many bytes were read, unless there were more when it was opened.
    private static int checked(int read, long from, SeekableByteChannel channel, long size) throws IOException {
        if (read < 0 && from < size) {
            throw MappedInput.shortened(channel.size(), size);
        }
        return read;
    }

    static SourceBytes ofChannel(SeekableByteChannel channel) throws IOException {
        long size = channel.size();
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) throws IOException {
                if (channel.position() != from) {
                    channel.position(from);
                }
                return checked(channel.read(into.asByteBuffer()), from, channel, size);
            }

            @Override
            public long byteSize() throws IOException {
                return channel.size();
            }
        };
    }

    static SourceBytes ofMemory(MemorySegment bytes) {
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) {
                long left = Math.min(into.byteSize(), bytes.byteSize() - from);
                if (left <= 0) {
                    return -1;
                }
                MappedInput.copy(bytes.asSlice(from, left), into);
                return (int) left;
            }

            @Override
            public long byteSize() {
                return bytes.byteSize();
            }
        };
    }

    static SourceBytes ofRanges(MediaSource.RangeReader reader) throws IOException {
        long size = reader.byteSize();
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) throws IOException {
                long left = Math.min(into.byteSize(), size - from);
                if (left <= 0) {
                    return -1;
                }
                int read = reader.read(from, into.asSlice(0, left));
                if (read < 1 || read > left) {
                    throw new EOFException("a range of " + left + " bytes at " + from + " gave " + read);
                }
                return read;
            }

            @Override
            public long byteSize() {
                return size;
            }

            @Override
            int bufferBytes() {
                return reader.chunkBytes();
            }
        };
    }

    static SourceBytes ofStream(InputStream stream) {
        return ofOneWay(Channels.newChannel(stream));
    }

    static SourceBytes ofOneWay(ReadableByteChannel channel) {
        return new SourceBytes() {
            @Override
            int readAt(long from, MemorySegment into) throws IOException {
                return channel.read(into.asByteBuffer());
            }

            @Override
            public long byteSize() {
                return -1;
            }

            @Override
            public boolean isSeekable() {
                return false;
            }
        };
    }
}
