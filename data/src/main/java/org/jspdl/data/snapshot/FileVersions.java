package org.jspdl.data.snapshot;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;

/// The versions of the files of a dataset when it was listed, by their numbers: of local files their size and the time
/// of their last change, of those in a store what its listing says (an entity tag). Files of remote lists, and of
/// stores whose listings say nothing, have none. Immutable; 8 bytes a file; goes to other processes.
public final class FileVersions implements Serializable {
    private static final long serialVersionUID = 1L;

    /// Nothing is known, and nothing compared.
    public static final FileVersions UNKNOWN = new FileVersions(new long[0]);

    private final long[] versions;

    private FileVersions(long[] versions) {
        this.versions = versions;
    }

    /// Those of `files`. Looks at each local file, and lists a folder in a store again.
    ///
    /// @throws StorageException if a file is gone meanwhile
    public static FileVersions of(Storage storage, LabeledFiles files) throws IOException {
        return of(storage, files.size(), files::location, listed(files));
    }

    /// The same of files that may be gone: of those nothing is known.
    public static FileVersions ofThoseThere(Storage storage, LabeledFiles files) throws IOException {
        return of(storage, files.size(), files::location, listed(files), _ -> ObjectVersion.UNKNOWN);
    }

    private static List<Location> listed(LabeledFiles files) {
        return files.isListed() ? List.of(files.root()) : List.of();
    }

    /// Those of `count` files.
    ///
    /// @param location of a file
    /// @param folders  that are listed for those in a store
    public static FileVersions of(Storage storage, long count, LongFunction<Location> location, List<Location> folders)
            throws IOException {
        return of(storage, count, location, folders, gone -> {
            throw new UncheckedIOException(gone);
        });
    }

    private static FileVersions of(
            Storage storage,
            long count,
            LongFunction<Location> location,
            List<Location> folders,
            ToLongFunction<StorageException> gone)
            throws IOException {
        ListedVersions listed = new ListedVersions();
        for (Location folder : folders) {
            if (folder.isRemote()) {
                listed.list(storage, folder);
            }
        }
        try {
            return new FileVersions(IntStream.range(0, Math.toIntExact(count))
                    .parallel()
                    .mapToLong(index -> version(location.apply(index), listed, gone))
                    .toArray());
        } catch (UncheckedIOException unread) {
            throw unread.getCause();
        }
    }

    private static long version(Location file, ListedVersions listed, ToLongFunction<StorageException> gone) {
        if (file.isRemote()) {
            return listed.version(file);
        }
        try {
            return ObjectVersion.hash(ObjectVersion.ofFile(file.path()));
        } catch (StorageException noPath) {
            throw new UncheckedIOException(noPath);
        } catch (IOException unseen) {
            return gone.applyAsLong(new StorageException(
                    StorageException.Kind.CHANGED, file, "was listed, and cannot be looked at: " + unseen, unseen));
        }
    }

    /// Those of some shards, each of which is asked for.
    public static FileVersions ofShards(Storage storage, List<Location> shards) throws IOException {
        return new FileVersions(AskedVersions.of(storage, shards));
    }

    /// The version of file `index`; [ObjectVersion#UNKNOWN] if nothing is known.
    public long get(long index) {
        return versions.length == 0 ? ObjectVersion.UNKNOWN : versions[Math.toIntExact(index)];
    }

    /// A text that is another one of other versions; empty if nothing is known.
    public String identity() {
        return known() == 0 ? "" : "in versions " + Integer.toHexString(hashCode()) + " ";
    }

    /// Of how many files something is known.
    public long known() {
        return Arrays.stream(versions)
                .filter(version -> version != ObjectVersion.UNKNOWN)
                .count();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileVersions those && Arrays.equals(versions, those.versions);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(versions);
    }

    @Override
    public String toString() {
        return "versions of " + known() + " of " + versions.length + " files";
    }
}
