package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.spark.internal.ArrivalLog;
import org.jspdl.spark.internal.ArrivedShard;
import org.jspdl.spark.internal.ReadOptions;

/// The shards of a growing folder as micro-batches: all that arrived since the last batch, each once. A shard must be
/// complete when it appears, as those are that are renamed or uploaded into the folder; one that has another size when
/// it is read, or when Spark asks for more, ends the query. Used by the driver, by one thread at a time.
final class ShardBatches implements MicroBatchStream {
    /// How deep files of classes lie.
    private static final int DEPTH = 2;

    private final ShardLayout layout;
    private final PartitionReaderFactory readers;
    private final ArrivalLog log;
    private final Set<String> known = new HashSet<>();

    /// How often shards have arrived.
    private static final class Arrivals extends Offset {
        private final int count;

        Arrivals(int count) {
            this.count = count;
        }

        @Override
        public String json() {
            return Integer.toString(count);
        }
    }

    private ShardBatches(ShardLayout layout, PartitionReaderFactory readers, ArrivalLog log) throws IOException {
        this.layout = layout;
        this.readers = readers;
        this.log = log;
        log.between(0, log.size()).forEach(shard -> known.add(shard.shard()));
    }

    /// @param checkpoint where Spark says that the source may keep what it must know
    /// @throws IllegalArgumentException if something else than folders or patterns of shards is given
    /// @throws UncheckedIOException if the checkpoint can't be read
    static ShardBatches of(
            ReadOptions options, PartitionReaderFactory readers, String checkpoint, Configuration configuration) {
        List<Location> given = new ArrayList<>();
        for (String path : options.paths()) {
            Location each = Location.of(path);
            if (!each.toString().equals(each.text())) {
                throw new IllegalArgumentException("the address " + each
                        + " hides something, which would stand in the query's checkpoint: give it without");
            }
            given.add(each);
        }
        try {
            return new ShardBatches(
                    new ShardLayout(given, options), readers, new ArrivalLog(checkpoint, configuration));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public Offset initialOffset() {
        return new Arrivals(0);
    }

    @Override
    public Offset deserializeOffset(String json) {
        return new Arrivals(Integer.parseInt(json));
    }

    /// Looks for new shards.
    @Override
    public Offset latestOffset() {
        try (Storage storage = Storage.open()) {
            if (log.size() > 0) {
                for (ArrivedShard last : log.between(log.size() - 1, log.size())) {
                    checkUnchanged(storage, last);
                }
            }
            List<ArrivedShard> arrived = new ArrayList<>();
            for (Location shard : there(storage)) {
                if (known.add(shard.text())) {
                    arrived.add(new ArrivedShard(shard.text(), size(storage, shard)));
                }
            }
            if (!arrived.isEmpty()) {
                log.add(arrived);
            }
            return new Arrivals(log.size());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// All shards as of now; a folder may have none yet.
    private List<Location> there(Storage storage) throws IOException {
        List<Location> found = new ArrayList<>();
        for (Location each : layout.given()) {
            try {
                found.addAll(ShardLayout.shards(storage, each));
            } catch (StorageException none) {
                if (none.kind() != StorageException.Kind.MISSING || isMissingFolder(each)) {
                    throw none;
                }
                requireNoFiles(each);
            }
        }
        return found;
    }

    private static boolean isMissingFolder(Location given) throws IOException {
        return !given.isRemote() && !isPattern(given) && !Files.isDirectory(given.path());
    }

    private static boolean isPattern(Location given) {
        return given.text().chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
    }

    /// A folder of files would be waited for without end.
    private static void requireNoFiles(Location given) throws IOException {
        if (given.isRemote() || isPattern(given)) {
            return;
        }
        try (Stream<Path> inside = Files.walk(given.path(), DEPTH)) {
            Optional<Path> file = inside.filter(each -> Files.isRegularFile(each)
                            && !each.getFileName().toString().startsWith("."))
                    .findAny();
            if (file.isPresent()) {
                throw new IOException(
                        given + " has files, such as " + file.get().getFileName()
                                + ", and no shards: only folders of shards are read as a stream, because numbers of files and"
                                + " classes change as others come. Pack files into shards (jspdl pack), or read the folder as"
                                + " a batch");
            }
        }
    }

    private static long size(Storage storage, Location shard) throws IOException {
        try (StoredObject object = storage.object(shard)) {
            return object.size();
        }
    }

    private static void checkUnchanged(Storage storage, ArrivedShard shard) throws IOException {
        Location location = Location.of(shard.shard());
        long size;
        try {
            size = size(storage, location);
        } catch (StorageException gone) {
            if (gone.kind() == StorageException.Kind.MISSING) {
                return; // was read, and tidied away
            }
            throw gone;
        }
        if (size != shard.bytes()) {
            throw changed(location, shard.bytes(), size);
        }
    }

    /// What a shard is that has another size than when it was found.
    static IOException changed(Location shard, long then, long now) {
        return new IOException(shard + " has " + now + " bytes, and had " + then
                + " when it was found: shards must be complete when they appear in a folder that is read as a stream."
                + " Write them elsewhere and rename them into it, and read this one again by itself");
    }

    @Override
    public InputPartition[] planInputPartitions(Offset start, Offset end) {
        try (Storage storage = Storage.open()) {
            return layout.found(storage, log.between(((Arrivals) start).count, ((Arrivals) end).count))
                    .toArray(InputPartition[]::new);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        return readers;
    }

    @Override
    public void commit(Offset end) {
        // the log is needed as long as the query: what arrived is never read again
    }

    @Override
    public void stop() {
        // nothing is held
    }
}
