package org.jspdl.data.shards.tar;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspdl.archive.TarEnd;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarStream;
import org.jspdl.data.shards.ShardCursor;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// A pass over a WebDataset shard. A sample ends where the next one begins, so the cursor stands at the first file of
/// the next sample.
final class TarCursor extends ShardCursor {
    private final TarStream stream;
    private final boolean compressed;
    private final LongSupplier indexed;
    private final SeenKeys seen = new SeenKeys();
    private @Nullable TarName next;
    private long nextOffset;
    private boolean begun;

    private TarCursor(ShardFile file, long index, TarStream stream, LongSupplier indexed) {
        super(file, index);
        this.stream = stream;
        this.indexed = indexed;
        this.compressed = TarFormat.isCompressed(file.location());
    }

    /// @param indexed samples that an index has; negative if none was read
    static TarCursor open(ShardFile file, Position from, LongSupplier indexed) throws IOException {
        boolean seeks = !from.state().isEmpty();
        long offset = seeks ? Long.parseLong(from.state()) : 0;
        TarCursor cursor = new TarCursor(file, from.index(), TarFormat.stream(file, offset), indexed);
        try {
            if (!seeks) {
                cursor.skip(from.index());
            }
            return cursor;
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    /// The samples from number `index` on, which lie from byte `begin` to `end`; nothing else is fetched.
    static TarCursor open(ShardFile file, long index, long begin, long end) throws IOException {
        return new TarCursor(file, index, TarStream.over(file.open(begin, end), begin, TarEnd.OPTIONAL), () -> -1);
    }

    @Override
    protected Optional<ShardSample> read(long number) throws IOException {
        if (!begun) {
            begun = true;
            toNextFile();
        }
        TarName first = next;
        if (first == null) {
            return Optional.empty();
        }
        ShardSample sample = sample(number, first.key());
        try {
            long begin = nextOffset;
            long end = begin;
            String objection = seen.add(first.key()) ? "" : TarFormat.again(first.key());
            for (TarName name = first; name != null && name.key().equals(first.key()); name = next) {
                end = stream.entry().dataOffset() + stream.entry().byteSize();
                if (stream.entry().isFile()) {
                    add(sample, name);
                } else if (file().options().wants(name.suffix())) {
                    objection = TarFormat.objection(stream.entry());
                }
                toNextFile();
            }
            if (next != null && number + 1 == indexed.getAsLong()) {
                throw olderIndex(stream.entry()); // else who reads as many samples as the index has loses the others
            }
            if (!objection.isEmpty()) {
                sample.close();
                return Optional.of(broken(number, objection));
            }
            return Optional.of(compressed ? sample : sample.lying(begin, end));
        } catch (Throwable failure) {
            sample.close();
            throw failure;
        }
    }

    /// What is wrong with an index that ends before `entry`.
    static FormatException olderIndex(TarEntry entry) {
        return FormatException.because("the index beside it ends before '" + entry.name()
                + "', which was added later; 'jspdl index' makes it again");
    }

    private void add(ShardSample sample, TarName name) throws IOException {
        if (sample.has(name.suffix())) {
            throw FormatException.because("'" + name.key() + "' has two files '." + name.suffix() + "'");
        }
        if (!file().options().wants(name.suffix())) {
            return;
        }
        long begin = stream.entry().dataOffset();
        Lease lease = lease(stream.remaining());
        try {
            stream.read(lease.segment());
        } catch (Throwable failure) {
            lease.close();
            throw failure;
        }
        sample.with(name.suffix(), lease);
        if (!compressed) {
            sample.lying(name.suffix(), begin, begin + lease.segment().byteSize());
        }
    }

    /// Moves to the next file that belongs to a sample, or link to one.
    private void toNextFile() throws IOException {
        next = null;
        while (next == null && stream.advance()) {
            TarEntry entry = stream.entry();
            nextOffset = entry.offset();
            next = TarFormat.name(entry);
        }
    }

    @Override
    protected String state() {
        if (next == null) {
            return "end";
        }
        return stream.canStartAtEntry() && !compressed ? Long.toString(nextOffset) : "";
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
