package org.jspdl.data.storage;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.SegmentBuffers;

/// A local file, read at positions by any number of threads.
///
/// The JDK closes a `FileChannel` when a thread that reads from it is interrupted. Here only the interrupted read
/// fails: whoever finds the channel closed opens the file again and repeats its read, after making sure that it is
/// still the same file.
final class LocalFile implements StoredObject {
    /// A read of more than an `int` can count is made of such pieces.

    private final Location location;
    private final Path path;
    private final BasicFileAttributes opened;
    private final LongConsumer counter;
    private final ReentrantLock reopening = new ReentrantLock();
    private volatile FileChannel channel;
    private volatile boolean closed;

    private LocalFile(
            Location location, Path path, BasicFileAttributes opened, FileChannel channel, LongConsumer counter) {
        this.location = location;
        this.path = path;
        this.opened = opened;
        this.channel = channel;
        this.counter = counter;
    }

    static LocalFile open(Location location, Path path, LongConsumer counter) throws StorageException {
        FileChannel channel = null;
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw new StorageException(Kind.UNSUPPORTED, location, "is a folder, not a file");
            }
            if (attributes.isOther()) { // opening it may wait forever
                throw new StorageException(Kind.UNSUPPORTED, location, "is no file but a pipe, a socket or a device");
            }
            channel = FileChannel.open(path, StandardOpenOption.READ);
            return new LocalFile(location, path, attributes, channel, counter);
        } catch (StorageException failure) {
            throw failure;
        } catch (IOException failure) {
            throw failed(location, "cannot be opened", failure);
        }
    }

    static StorageException failed(Location location, String what, IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing ->
                new StorageException(Kind.MISSING, location, reason(location, missing), failure);
            case AccessDeniedException _ -> new StorageException(Kind.DENIED, location, "permission denied", failure);
            default -> new StorageException(Kind.UNAVAILABLE, location, what + ": " + failure.getMessage(), failure);
        };
    }

    private static String reason(Location location, NoSuchFileException failure) {
        try {
            Path file = failure.getFile() == null ? null : location.anyPath();
            if (file != null && Files.isSymbolicLink(file)) {
                return "it is a link to " + Location.of(Files.readSymbolicLink(file)) + ", which does not exist";
            }
        } catch (IOException gone) {
            // then there is nothing more to say than that it is missing
        }
        return location.text().indexOf('\uFFFD') < 0
                ? "there is no such file"
                : "there is no such file; if there is, its name was given in bytes that are not " + FileNames.encoding()
                        + ": name its folder instead";
    }

    static ListedObject listed(Location location, Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new ListedObject(location, attributes.size(), ObjectVersion.of(attributes));
        } catch (IOException failure) {
            throw new UncheckedIOException(failed(Location.of(file), "cannot be read", failure));
        }
    }

    @Override
    public Location location() {
        return location;
    }

    @Override
    public long size() {
        return opened.size();
    }

    @Override
    public String version() {
        return ObjectVersion.of(opened);
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        long length = target.byteSize();
        if (offset < 0 || offset > size() - length) {
            throw new StorageException(
                    Kind.RANGE,
                    location,
                    String.format(
                            Locale.ROOT, "cannot read %,d bytes at %,d, it has %,d bytes", length, offset, size()));
        }
        long at = offset;
        for (ByteBuffer piece : SegmentBuffers.of(target)) {
            int bytes = piece.remaining();
            fill(at, piece);
            at += bytes;
        }
        counter.accept(length);
    }

    private void fill(long offset, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            FileChannel current = channel;
            int count;
            try {
                count = current.read(target, offset + target.position());
            } catch (ClosedByInterruptException _) {
                throw new InterruptedIOException(location + ": the read was interrupted");
            } catch (ClosedChannelException failure) {
                openAgain(current, failure);
                continue;
            } catch (IOException failure) {
                throw failed(location, "cannot be read", failure);
            }
            if (count < 0) {
                throw new StorageException(
                        Kind.CHANGED,
                        location,
                        String.format(
                                Locale.ROOT,
                                "ended after %,d of %,d bytes; it shrank while it was read",
                                offset + target.position(),
                                size()));
            }
        }
    }

    /// After another thread's interruption closed `broken`.
    private void openAgain(FileChannel broken, ClosedChannelException reason) throws IOException {
        reopening.lock();
        try {
            if (closed) {
                throw new StorageException(Kind.UNSUPPORTED, location, "was closed while it was read", reason);
            }
            if (channel == broken) {
                LocalFile again = open(location, path, counter);
                if (!Objects.equals(again.opened.fileKey(), opened.fileKey())
                        || !again.version().equals(version())) {
                    again.close();
                    throw new StorageException(Kind.CHANGED, location, "was replaced while it was read");
                }
                channel = again.channel;
            }
        } finally {
            reopening.unlock();
        }
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        long size = WholeObject.check(location, size(), limitBytes);
        return read(0, size, pool);
    }

    @Override
    public void close() {
        reopening.lock();
        try {
            closed = true;
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failed(location, "cannot be closed", failure));
        } finally {
            reopening.unlock();
        }
    }

    @Override
    public String toString() {
        return location.toString();
    }
}
