package org.jspdl.array;

import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedSet;
import org.jspdl.archive.ZipArchive;
import org.jspdl.archive.ZipMember;
import org.jspdl.archive.internal.MappedFile;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;

/// NumPy's NPZ files: named arrays in a zip archive, stored or deflated.
///
/// Arrays are called as in NumPy, with or without `.npy`. Safe for any number of threads. A file [#open]ed is mapped
/// until it is closed; one [#over] memory borrows it. Where such a file becomes shorter, each method and each copy of
/// an array throws an [UncheckedIOException], and reading the bytes of a view an [InternalError].
public final class Npz implements AutoCloseable {
    private static final String ENDING = ".npy";

    private final MappedFile file;
    private final ZipArchive archive;
    private final Map<String, ZipMember> arrays = new LinkedHashMap<>();

    private Npz(MappedFile file) {
        this.file = file;
        this.archive = file.read(() -> ZipArchive.over(file.segment()));
        archive.members().forEach((name, member) -> {
            if (name.endsWith(ENDING)) {
                arrays.put(name.substring(0, name.length() - ENDING.length()), member);
            }
        });
    }

    /// The arrays in `file`, which is the content of an NPZ file and stays the caller's.
    ///
    /// @throws FormatException if it is no zip archive, or a damaged one
    public static Npz over(MemorySegment file) {
        return new Npz(MappedFile.borrowed(file));
    }

    /// Maps the file at `path`.
    ///
    /// @throws FormatException as [#over] does; the message begins with the path
    /// @throws UncheckedIOException if it cannot be read
    public static Npz open(Path path) {
        MappedFile file = MappedFile.map(path);
        try {
            return new Npz(file);
        } catch (FormatException broken) {
            file.close();
            throw broken.withSource(path.toString());
        } catch (UncheckedIOException lost) {
            file.close();
            throw lost;
        }
    }

    /// What the arrays are called, in the order of the file and without `.npy`.
    public SequencedSet<String> names() {
        return Collections.unmodifiableSequencedSet(new java.util.LinkedHashSet<>(arrays.keySet()));
    }

    /// Whether an array is stored as it is, so that it can be viewed.
    public boolean isStored(String name) {
        return member(name).isStored();
    }

    /// A stored array where it lies; its checksum is not verified, [#verify] does that.
    ///
    /// @throws IllegalArgumentException if there is no such array, or it is compressed: [#load] it
    /// @throws FormatException if it is damaged, as [Npy#view] says
    public ArrayView view(String name) {
        ZipMember member = member(name);
        if (!member.isStored()) {
            throw new IllegalArgumentException("the array '" + name + "' is compressed; load it instead");
        }
        return file.read(() -> parse(name, archive.view(member))).of(file);
    }

    /// Checks the checksum of a stored array, which [#view(String)] leaves out.
    ///
    /// @throws IllegalArgumentException if there is no such array, or it is compressed
    /// @throws FormatException if it is damaged
    public void verify(String name) {
        ZipMember member = member(name);
        file.read(() -> {
            archive.verify(member);
            return member;
        });
    }

    /// The bytes that [#view(String, MemorySegment)] needs for an array.
    public long bytesNeeded(String name) {
        return member(name).byteSize();
    }

    /// An array, decompressed into the beginning of `memory` if need be, with its checksum checked.
    ///
    /// @throws FormatException if it is damaged
    public ArrayView view(String name, MemorySegment memory) {
        ZipMember member = member(name);
        file.read(() -> {
            archive.read(member, memory);
            return member;
        });
        return parse(name, memory.asSlice(0, member.byteSize()));
    }

    /// An array in memory from `pool`, as a tensor that the caller owns; its checksum is checked.
    ///
    /// @throws FormatException if it is damaged
    public Tensor load(String name, BufferPool pool) {
        ZipMember member = member(name);
        ZipArchive.requireReadable(member);
        Lease lease = pool.lease(member.byteSize());
        try {
            ArrayView array = view(name, lease.segment());
            if (array.isPlain()) {
                // Over the header, which is small: moving costs a few percent of what decompressing
                // does.
                lease.segment().copyFrom(array.segment());
                return Tensor.over(array.type(), array.shape(), lease);
            }
            try (lease) {
                return array.toTensor(pool);
            }
        } catch (RuntimeException | Error failure) {
            lease.close();
            throw failure;
        }
    }

    private static ArrayView parse(String name, MemorySegment file) {
        try {
            return Npy.view(file);
        } catch (FormatException broken) {
            throw broken.within("array '" + name + "'");
        }
    }

    private ZipMember member(String name) {
        ZipMember member = arrays.get(name);
        if (member == null && name.endsWith(ENDING)) {
            member = arrays.get(name.substring(0, name.length() - ENDING.length()));
        }
        if (member == null) {
            throw new IllegalArgumentException("there is no array '" + name + "'; there are " + arrays.keySet());
        }
        return member;
    }

    /// Unmaps what [#open] has mapped; views of it must not be used any more.
    @Override
    public void close() {
        file.close();
    }
}
