package org.jspdl.cli.run;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspdl.data.rows.Row;
import org.jspdl.input.InputException;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// One image on its way through the pipeline: its number, the row that waits for it, and its file's bytes once they are
/// read.
///
/// Owned by one stage at a time. Closing gives up whatever it still holds.
final class Sample implements AutoCloseable {
    private final int index;
    private final int label;
    private final Supplier<String> name;
    private final Row row;
    private @Nullable MemorySegment encoded;
    private @Nullable Runnable release;
    private @Nullable InputException unreadable;

    /// @param label the number of its class
    /// @param name  what it is called in messages
    Sample(int index, int label, Supplier<String> name, Row row) {
        this.index = index;
        this.label = label;
        this.name = name;
        this.row = row;
    }

    /// The image's number in the dataset.
    int index() {
        return index;
    }

    /// The number of its class.
    int label() {
        return label;
    }

    /// Where it was read from.
    String name() {
        return name.get();
    }

    Row row() {
        return row;
    }

    /// The file's bytes.
    ///
    /// @throws InputException if they could not be read
    MemorySegment encoded() {
        if (unreadable != null) {
            throw unreadable;
        }
        if (encoded == null) {
            throw new IllegalStateException("image " + index + " has not been read");
        }
        return encoded;
    }

    /// Takes over the file's bytes.
    void encoded(Lease bytes) {
        encoded(bytes.segment(), bytes::close);
    }

    /// Takes over bytes that `release` frees.
    void encoded(MemorySegment bytes, Runnable newRelease) {
        encoded = bytes;
        release = newRelease;
    }

    /// Notes why the file's bytes could not be read.
    void unreadable(InputException failure) {
        unreadable = failure;
    }

    /// Releases the file's bytes.
    void releaseEncoded() {
        encoded = null;
        if (release != null) {
            release.run();
            release = null;
        }
    }

    @Override
    public void close() {
        releaseEncoded();
        row.close();
    }

    @Override
    public String toString() {
        return "image " + index;
    }
}
