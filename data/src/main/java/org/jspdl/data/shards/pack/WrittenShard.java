package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.files.FreshFile;

/// A shard that is complete. Immutable; may be sent to other processes.
///
/// @param number  which of its dataset
/// @param samples how many it has
/// @param bytes   of its file
/// @param crc32c  of its file, as eight hexadecimal digits
/// @param about   what the [format][PackFormat#index] needs to know of it; empty for tar files
public record WrittenShard(long number, long samples, long bytes, String crc32c, String about) implements Serializable {

    /// The same shard as another one of its dataset.
    public WrittenShard as(long other) {
        return new WrittenShard(other, samples, bytes, crc32c, about);
    }

    /// Writes the index of a dataset beside its shards, and what the format has beside that.
    ///
    /// @param settings by which the shards were written, or were given their names
    /// @param shards   all of them, in the order of their numbers, in the folder of the settings
    /// @return the files that were written
    public static List<Path> index(PackSettings settings, List<WrittenShard> shards) throws IOException {
        List<DatasetIndex.Shard> indexed = new ArrayList<>();
        List<Path> tarIndexes = new ArrayList<>();
        List<PackFormat.Written> written = new ArrayList<>();
        for (WrittenShard each : shards) {
            String name = settings.files(each.number).getFirst();
            indexed.add(new DatasetIndex.Shard(name, each.samples, each.bytes, each.crc32c));
            written.add(new PackFormat.Written(name, each.samples, each.bytes, each.about));
            if (settings.format().isEmpty()) {
                tarIndexes.add(settings.index(each.number));
            }
        }
        IndexWriter writer = new IndexWriter(settings.folder(), settings.prefix());
        List<Path> files = new ArrayList<>(writer.write(indexed, tarIndexes));
        Optional<PackFormat.IndexFile> own = settings.format().flatMap(format -> format.index(written));
        if (own.isPresent()) {
            Path file = settings.folder().resolve(own.get().name());
            FreshFile.write(file, own.get().text());
            files.add(file);
        }
        return files;
    }
}
