package org.jspdl.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A file that is locked against all others, in this process and in other ones, until it is closed or the process
/// ends, however it ends.
///
/// POSIX takes the locks of a process on a file away when the process closes *any* descriptor of it. So whoever locks a
/// file does it here: a file that this process has locked is never opened a second time to see whether it is. Do not
/// open it in other ways, either, while it is locked; use [#channel].
///
/// The locks belong to the process, and so does the table of them: it is static for that reason.
public final class LockedFile implements AutoCloseable {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition RELEASED = LOCK.newCondition();
    /// Those that are held or waited for in this process, by the identities of their files.
    private static final Map<Object, LockedFile> HELD = new HashMap<>();

    private final Object key;
    /// Of the file; the first is the one that is locked.
    private final List<FileChannel> channels = new ArrayList<>(1);

    private LockedFile(Object key) {
        this.key = key;
    }

    /// Locks `file`, which is made with `attributes` unless it is there; waits until nobody else has it.
    ///
    /// @throws InterruptedIOException if the thread is interrupted
    public static LockedFile lock(Path file, FileAttribute<?>... attributes) throws IOException {
        for (; ; ) {
            make(file, attributes);
            try {
                LockedFile locked = claim(file, true).orElseThrow();
                if (locked.open(file, true)) {
                    return locked;
                }
            } catch (NoSuchFileException gone) {
                // whoever had it has deleted it
            }
        }
    }

    /// Locks `file`, which must be there; empty if somebody else has it.
    public static Optional<LockedFile> tryLock(Path file) throws IOException {
        Optional<LockedFile> claimed = claim(file, false);
        return claimed.isPresent() && claimed.get().open(file, false) ? claimed : Optional.empty();
    }

    /// Makes an empty file unless it is there.
    public static void make(Path file, FileAttribute<?>... attributes) throws IOException {
        try {
            Files.createFile(file, attributes);
        } catch (FileAlreadyExistsException there) {
            // it is not opened: that could take a lock away
        }
    }

    /// What tells one file from all others, by whatever path.
    private static Object keyOf(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return key == null ? file.toRealPath() : key;
    }

    /// Keeps others in this process from the file.
    private static Optional<LockedFile> claim(Path file, boolean waits) throws IOException {
        LOCK.lock();
        try {
            Object key = keyOf(file);
            while (HELD.containsKey(key)) {
                if (!waits) {
                    return Optional.empty();
                }
                RELEASED.await();
                key = keyOf(file);
            }
            LockedFile claimed = new LockedFile(key);
            HELD.put(key, claimed);
            return Optional.of(claimed);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(file + ": interrupted while waiting for the lock");
        } finally {
            LOCK.unlock();
        }
    }

    /// Opens and locks the file that was claimed; whether that is still the one at `file`. If not, the claim is
    /// given up.
    private boolean open(Path file, boolean waits) throws IOException {
        boolean locked = false;
        try {
            locked = opened(file) && (waits ? channel().lock() : channel().tryLock()) != null && isAt(file);
            return locked;
        } catch (ClosedByInterruptException interrupt) {
            throw new InterruptedIOException(file + ": interrupted while waiting for the lock");
        } catch (OverlappingFileLockException another) {
            throw new IOException(file + " is locked in this process by other means", another);
        } finally {
            if (!locked) {
                close();
            }
        }
    }

    /// Opens the file; whether it is the one that was claimed. A descriptor of another one that this process has
    /// locked is closed with that lock, not before.
    private boolean opened(Path file) throws IOException {
        LOCK.lock();
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            LockedFile owner = this;
            try {
                Object now = keyOf(file);
                owner = HELD.getOrDefault(now, this);
                return now.equals(key);
            } finally {
                owner.channels.add(channel);
            }
        } finally {
            LOCK.unlock();
        }
    }

    private boolean isAt(Path file) throws IOException {
        try {
            return keyOf(file).equals(key);
        } catch (NoSuchFileException deleted) {
            return false;
        }
    }

    /// The file, to be read, written and mapped; this object closes it.
    public FileChannel channel() {
        return channels.getFirst();
    }

    /// Unlocks the file; closing again is harmless.
    @Override
    public void close() throws IOException {
        LOCK.lock();
        try {
            if (HELD.remove(key, this)) {
                RELEASED.signalAll();
                for (FileChannel each : channels) {
                    each.close();
                }
            }
        } finally {
            LOCK.unlock();
        }
    }
}
