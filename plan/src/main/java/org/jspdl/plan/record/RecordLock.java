package org.jspdl.plan.record;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Keeps two recorders from writing the record of one rank at once, of which nothing could be read. The lock ends with
/// its channel, or its process.
final class RecordLock {
    private static final Logger LOGGER = System.getLogger(RecordLock.class.getName());

    private RecordLock() {}

    /// Locks the file of a record that is written from here on. A file system without locks is let pass.
    ///
    /// @throws IllegalArgumentException if another recorder, of this process or another, has it
    static void take(FileChannel file, Path folder, int rank) {
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException here) {
            throw taken(folder, rank, here);
        } catch (IOException none) {
            LOGGER.log(Level.DEBUG, "files in " + folder + " can't be locked", none);
            return;
        }
        if (lock == null) {
            throw taken(folder, rank, null);
        }
    }

    private static IllegalArgumentException taken(Path folder, int rank, @Nullable OverlappingFileLockException here) {
        return new IllegalArgumentException(
                "the run can't be recorded in " + folder + ": another run that goes on records rank " + rank
                        + " there; give each process a rank of its own, or name another folder",
                here);
    }
}
