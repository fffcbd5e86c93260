package org.jspdl.cli.run;

import java.io.IOException;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Reads whole files into pooled memory outside the heap.
///
/// @param storage    where the files lie
/// @param pool       where the bytes go
/// @param limitBytes the largest file that is read
record FileBytes(Storage storage, BufferPool pool, long limitBytes) {
    /// No encoded image is larger.
    static final long MOST_BYTES = 256L << 20;

    /// The content of the file, owned by the caller.
    ///
    /// @throws IOException if it cannot be read, is empty, or larger than the limit
    Lease read(Location location) throws IOException {
        try (StoredObject object = storage.object(location)) {
            return object.readAll(pool, limitBytes);
        }
    }
}
