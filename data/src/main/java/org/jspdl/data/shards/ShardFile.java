package org.jspdl.data.shards;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.jspdl.data.shards.filter.PartitionFolders;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;

/// A shard that is not open yet: where it lies, and how it is to be read. Owns nothing.
///
/// @param storage  holds it
/// @param location where it lies there
/// @param options  how it is read
/// @param pool     what samples are put into
/// @param bytes    how large it is, if an index knows
/// @param classes  is told what it says of its classes
public record ShardFile(
        Storage storage,
        Location location,
        ShardOptions options,
        BufferPool pool,
        IndexedBytes bytes,
        ClassesTold classes) {

    /// How large a shard is by the index of its dataset.
    @FunctionalInterface
    public interface IndexedBytes {
        /// The bytes; empty if no index has the shard. May take a request, the first time.
        OptionalLong get() throws IOException;
    }

    /// Compares what the shards of a dataset say of their classes.
    @FunctionalInterface
    public interface ClassesTold {
        /// Takes what Hugging Face's library has written into the metadata of a schema; empty if it has not.
        ///
        /// @throws IOException if it names classes otherwise than another shard of the dataset
        void told(String features) throws IOException;
    }

    /// A shard that is compared with no other.
    public ShardFile(Storage storage, Location location, ShardOptions options, BufferPool pool, IndexedBytes bytes) {
        this(storage, location, options, pool, bytes, _ -> {});
    }

    /// A shard that no index is asked about.
    public ShardFile(Storage storage, Location location, ShardOptions options, BufferPool pool) {
        this(storage, location, options, pool, OptionalLong::empty);
    }

    /// What it is called in messages, samples and checkpoints.
    public String shown() {
        return location.toString();
    }

    /// The columns that are to be read of it, where it has those of `there`: all if that is empty. A column that a
    /// folder above is called by is read if the shard has it, too, and is else what the folder says.
    public List<String> columns(Collection<String> there) {
        List<String> wanted = options.columns();
        return there.containsAll(wanted) ? wanted : withoutFolders(wanted, there::contains);
    }

    /// The wanted fields that are not among `names` and should be: not those that a folder above is called by.
    public List<String> missing(Collection<String> names) {
        List<String> missing = options.missing(names);
        return missing.isEmpty() ? missing : withoutFolders(missing, _ -> false);
    }

    private List<String> withoutFolders(List<String> columns, Predicate<String> there) {
        Set<String> folders = PartitionFolders.of(location).keySet();
        return columns.stream()
                .filter(column -> there.test(column) || !folders.contains(column))
                .toList();
    }

    /// The same, read to be counted, in which nothing that is broken is reported.
    ShardFile counting() {
        ShardOptions quiet =
                options.failures(ShardFailures.skip(Long.MAX_VALUE, _ -> {})).forInterleaved(32);
        return new ShardFile(storage, location, quiet, pool, bytes, classes);
    }

    /// Its content from byte `offset` on, read ahead if it is remote; the caller closes it.
    public SeekableByteChannel open(long offset) throws IOException {
        OptionalLong indexed = bytes.get();
        // of what an index knows the beginning is on its way while other shards are opened
        return channel(offset, object(indexed), StoredObject::size, indexed.isPresent());
    }

    /// Its content from byte `offset` to `end`, requested at once if it is remote, and nothing behind it; the
    /// caller closes it.
    public SeekableByteChannel open(long offset, long end) throws IOException {
        return channel(offset, storage.object(location), _ -> end, true);
    }

    /// How far an object is read.
    @FunctionalInterface
    private interface End {
        long of(StoredObject object) throws IOException;
    }

    private SeekableByteChannel channel(long offset, StoredObject object, End end, boolean begins) throws IOException {
        SeekableByteChannel channel;
        try {
            channel = location.isRemote()
                    ? new ReadAheadChannel(object, options.readAheadBytes(), pool, end.of(object))
                    : new ObjectChannel(object, end.of(object));
        } catch (Throwable failure) {
            object.close();
            throw failure;
        }
        try {
            channel.position(offset);
            if (begins && channel instanceof ReadAheadChannel ahead) {
                ahead.begin();
            }
            return channel;
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    /// The shard, to be read at any place; the caller closes it.
    public StoredObject object() throws IOException {
        return object(bytes.get());
    }

    private StoredObject object(OptionalLong indexed) throws IOException {
        StoredObject object = storage.object(location);
        try {
            if (indexed.isPresent()) {
                object.expect(indexed.getAsLong());
            }
            return object;
        } catch (Throwable failure) {
            object.close();
            throw failure;
        }
    }

    /// Its content from the beginning, decompressed if its name says that it is compressed; the caller closes it.
    public InputStream decompressed() throws IOException {
        if (location.endsWith(".zst", ".zstd")) {
            return new ZstdFile(this);
        }
        return location.endsWith(".gz", ".tgz") ? GzipInput.open(this) : Channels.newInputStream(open(0));
    }
}
