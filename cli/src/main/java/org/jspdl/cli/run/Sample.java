package org.jspdl.cli.run;

import org.jspdl.data.rows.Row;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// One image on its way through the pipeline: its number, the row that waits for it, and its file's bytes once they are
/// read.
///
/// Owned by one stage at a time. Closing gives up whatever it still holds.
final class Sample implements AutoCloseable {
    private final int index;
    private final Row row;
    private @Nullable Lease encoded;
    private @Nullable ImageFileException unreadable;

    Sample(int index, Row row) {
        this.index = index;
        this.row = row;
    }

    /// The image's number in the dataset.
    int index() {
        return index;
    }

    Row row() {
        return row;
    }

    /// The file's bytes.
    ///
    /// @throws ImageFileException if they could not be read
    Lease encoded() throws ImageFileException {
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
        encoded = bytes;
    }

    /// Notes why the file's bytes could not be read.
    void unreadable(ImageFileException failure) {
        unreadable = failure;
    }

    /// Gives the file's bytes back.
    void releaseEncoded() {
        if (encoded != null) {
            encoded.close();
            encoded = null;
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
