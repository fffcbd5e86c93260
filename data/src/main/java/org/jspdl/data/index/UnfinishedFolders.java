package org.jspdl.data.index;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;

/// Folders in which a job has given names to some shards and not to all, as their listing shows. One thread.
final class UnfinishedFolders {
    private static final String WITHIN = "/" + ShardFolder.UNFINISHED + "/";

    private final Set<String> hiding = new HashSet<>();
    private final Set<String> indexed = new HashSet<>();

    /// A file of the listing.
    void saw(Location file) {
        String path = file.text();
        int hidden = path.indexOf(WITHIN);
        if (hidden >= 0) {
            hiding.add(path.substring(0, hidden));
        } else if (DatasetIndex.isIndex(file)) {
            indexed.add(folder(path));
        }
    }

    private static String folder(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /// @throws StorageException if one of `shards` is of a job that has not ended
    void requireNone(Collection<Location> shards) throws StorageException {
        if (hiding.isEmpty()) {
            return;
        }
        for (Location shard : shards) {
            String folder = folder(shard.text());
            if (hiding.contains(folder) && !indexed.contains(folder)) {
                throw new StorageException(
                        StorageException.Kind.MISSING,
                        shard,
                        "a job that writes to its folder has not ended, or was killed, so that shards may be missing: wait"
                                + " for its index (NAME.shards.json), run the job again, or remove what is below "
                                + ShardFolder.UNFINISHED + " and its shards");
            }
        }
    }
}
