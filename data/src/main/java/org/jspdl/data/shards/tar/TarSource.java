package org.jspdl.data.shards.tar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.archive.TarEnd;
import org.jspdl.archive.TarStream;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSource;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RangedSource;
import org.jspecify.annotations.Nullable;

/// A tar file that may have an index beside it, which is read once: 8 bytes a sample stay in memory. With it any sample
/// is found at once. Safe for any thread.
final class TarSource implements RangedSource<ShardSample> {
    private static final int BLOCK = 512;

    private final ShardFile file;
    private final ShardSource whole;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long @Nullable [] ends;
    /// Whether nothing is known to lie behind the samples of the index.
    private volatile boolean complete;

    TarSource(ShardFile file) {
        this.file = file;
        this.whole = new ShardSource(
                file, Resume.SEEK, (shard, from) -> TarCursor.open(shard, from, this::indexed), _ -> size());
    }

    private long indexed() {
        long[] known = ends;
        return known == null ? -1 : known.length;
    }

    /// Where each sample ends; none if there is no index.
    private long[] ends() throws IOException {
        long[] known = ends;
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            known = ends;
            if (known == null) {
                known = ends(TarIndex.read(file));
                if (!file.location().isRemote()) {
                    refuseMore(last(known));
                }
                ends = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private long[] ends(TarIndex index) {
        try {
            return index.ends();
        } catch (FormatException wrong) {
            throw wrong.withSource(TarIndex.locationFor(file.location()).toString());
        }
    }

    private static long last(long[] ends) {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    /// Refuses an index that is older than its remote shard, before the last samples of the index are read: to look
    /// takes a request for a block. An index of the dataset says how large the shard is, which is compared anyway.
    private void requireAll(long end) throws IOException {
        if (!complete && file.location().isRemote() && file.bytes().get().isEmpty()) {
            if (hasHeader(end)) {
                refuseMore(end);
            }
            complete = true;
        }
    }

    private boolean hasHeader(long at) throws IOException {
        try (StoredObject object = file.storage().object(file.location());
                Lease block = object.read(at, BLOCK, file.pool())) {
            return MemorySegment.ofArray(new byte[BLOCK]).mismatch(block.segment()) >= 0;
        } catch (StorageException ended) {
            if (ended.kind() == StorageException.Kind.RANGE) {
                return false; // also an archive without the empty blocks that most end with
            }
            throw ended;
        }
    }

    /// Refuses an index that is older than its shard.
    private void refuseMore(long end) throws IOException {
        try (TarStream stream = TarStream.over(file.open(end), end, TarEnd.OPTIONAL)) {
            while (stream.advance()) {
                if (TarFormat.name(stream.entry()) != null) {
                    throw TarCursor.olderIndex(stream.entry());
                }
            }
        } catch (FormatException older) {
            throw older.withSource(file.shown());
        }
    }

    @Override
    public OptionalLong size() {
        try {
            return OptionalLong.of(ends().length);
        } catch (StorageException missing) {
            if (missing.kind() == StorageException.Kind.MISSING) {
                return OptionalLong.empty();
            }
            throw new UncheckedIOException(missing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public boolean isRanged() {
        return size().isPresent();
    }

    @Override
    public Cursor<ShardSample> open(long epoch, Position from) throws IOException {
        return whole.open(epoch, from);
    }

    @Override
    public Cursor<ShardSample> open(long epoch, Position from, long to) throws IOException {
        if (from.state().equals("end")) {
            return whole.open(epoch, from);
        }
        long[] ends = ends();
        if (from.index() > to || to > ends.length) {
            throw new IllegalArgumentException(
                    "samples " + from.index() + " to " + to + " of " + ends.length + " of " + file.shown());
        }
        if (to == ends.length) {
            requireAll(last(ends));
        }
        long begin = !from.state().isEmpty()
                ? Long.parseLong(from.state())
                : from.index() == 0 ? 0 : ends[(int) from.index() - 1];
        return TarCursor.open(file, from.index(), begin, to == 0 ? 0 : ends[(int) to - 1]);
    }

    @Override
    public String identity() {
        return whole.identity();
    }
}
