package org.jspdl.array;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspdl.archive.ZipWriter;

/// Writes named arrays to an NPZ file that NumPy reads. The file is complete when the writer is closed.
///
/// Used by one thread at a time.
public final class NpzWriter implements AutoCloseable {
    private final ZipWriter archive;
    private final ZipWriter.Method method;

    private NpzWriter(ZipWriter archive, ZipWriter.Method method) {
        this.archive = archive;
        this.method = method;
    }

    /// Begins a file at `path`, replacing what is there; stored arrays are the fastest to read.
    public static NpzWriter create(Path path, ZipWriter.Method method) throws IOException {
        return new NpzWriter(ZipWriter.create(path), method);
    }

    /// Writes `array` under `name`, without `.npy`.
    ///
    /// @throws IllegalArgumentException if there is one of this name, or NumPy has no such element type
    public void add(String name, ArrayView array) throws IOException {
        archive.add(name + ".npy", method, MemorySegment.ofArray(Npy.header(array)), array.segment());
    }

    /// Completes the file; closing again is harmless.
    @Override
    public void close() throws IOException {
        archive.close();
    }
}
