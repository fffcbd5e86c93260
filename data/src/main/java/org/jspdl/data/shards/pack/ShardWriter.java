package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// Writes one shard, sample by sample: the bytes that [ShardPacker] gives a shard of these samples. For engines that
/// cut a dataset themselves, of which each part is written somewhere else.
///
/// The shard is number 0 in the folder of the settings, and has its name when it is [finished][#finish]. Limits of the
/// settings do not count, but for those of the format. One thread at a time.
public final class ShardWriter implements AutoCloseable {
    private final PackSettings settings;
    private final Storage storage;
    private final BufferPool pool;
    private @Nullable OpenShard shard;

    /// A shard in the folder of `settings`, which is made if need be. The folder that it lies in must be there: an
    /// attempt that an engine has given up does not bring back a folder that was removed since.
    ///
    /// @throws IllegalArgumentException if the settings say that shards are sent elsewhere
    /// @throws java.nio.file.NoSuchFileException if the folder that it lies in is not there
    public ShardWriter(PackSettings settings) throws IOException {
        if (settings.isSent()) {
            throw new IllegalArgumentException("a single shard is written to a local folder, not to " + settings.to());
        }
        this.settings = settings;
        if (!Files.isDirectory(settings.folder())) {
            Files.createDirectory(settings.folder());
        }
        this.storage = Storage.open();
        this.pool = BufferPool.unbounded("samples of a shard");
    }

    /// Adds a sample, which stays the caller's.
    ///
    /// @param number of its place in the input: it is called so if it has no name
    /// @throws FormatException if the format cannot hold it; the message says why
    public void add(ShardSample sample, long number) throws IOException {
        Position after = Position.at(number + 1);
        try (PackedSample packed = settings.format().isPresent()
                ? PackedSample.row(sample, after, pool)
                : PackedSample.of(sample, key(sample, settings, number), after, pool)) {
            OpenShard open = shard;
            if (open == null) {
                open = OpenShard.create(new ShardStore(settings, storage), 0);
                shard = open;
            }
            open.write(open.place(packed), packed.bytes().segment());
        }
    }

    /// What a sample is called in a shard.
    static String key(ShardSample sample, PackSettings settings, long number) {
        boolean named = sample.isNamed() && !sample.key().isEmpty();
        return named && settings.naming() == PackSettings.Naming.KEEP
                ? sample.key()
                : String.format(Locale.ROOT, "%09d", number);
    }

    /// Completes the shard, and makes it last; nothing is there if it has no samples.
    public Optional<WrittenShard> finish() throws IOException {
        OpenShard open = shard;
        if (open == null) {
            return Optional.empty();
        }
        PackJournal.Packed packed = open.finish();
        shard = null;
        return Optional.of(new WrittenShard(0, packed.samples(), packed.bytes(), packed.crc32c(), packed.about()));
    }

    /// Gives up what is not complete.
    @Override
    public void close() throws IOException {
        try (storage;
                pool) {
            if (shard != null) {
                shard.close();
                shard = null;
            }
        }
    }
}
