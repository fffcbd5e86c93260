package org.jspdl.data.http;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.pace.Hedge;
import org.jspdl.data.http.range.RangePlanner;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.http.range.Scatter.Piece;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// One object of a web server or an object store. Holds nothing that needs closing.
public final class HttpObject implements StoredObject {
    /// How large a whole object is, is not known before: they are a class of their own.
    private static final long WHOLE = Long.MAX_VALUE;

    private final Location location;
    private final ObjectRequest request;
    private final RangeClient client;
    private final boolean byHead;
    private final MetadataTracker metadata = new MetadataTracker();

    /// The object that the user calls `location`, at `address`. An address with a query is not asked with `HEAD`:
    /// one that is signed for `GET` may not be.
    public HttpObject(Location location, HttpAddress address, RangeClient client) {
        this(location, address, client, !address.target().contains("?"));
    }

    /// The same, for a server that may be asked with `HEAD` whatever the address is.
    public static HttpObject withHead(Location location, HttpAddress address, RangeClient client) {
        return new HttpObject(location, address, client, true);
    }

    private HttpObject(Location location, HttpAddress address, RangeClient client, boolean byHead) {
        this.byHead = byHead;
        this.location = location;
        this.request = ObjectRequest.get(location, address);
        this.client = client;
    }

    @Override
    public Location location() {
        return location;
    }

    @Override
    public long size() throws IOException {
        long known = metadata.size();
        return known < 0 ? metadata().size() : known;
    }

    @Override
    public void expect(long bytes) throws IOException {
        metadata.expect(bytes);
    }

    @Override
    public String version() throws IOException {
        return metadata().version();
    }

    private ObjectMetadata metadata() throws IOException {
        ObjectMetadata known = metadata.known();
        if (known != null) {
            return known;
        }
        String version = "";
        if (byHead) {
            try {
                ObjectMetadata told =
                        client.exchange(0, new MetadataRead(ObjectRequest.head(location, request.address()), metadata));
                if (told.size() > 0) {
                    return told;
                }
                version = told.version();
            } catch (StorageException refused) {
                if (refused.kind() != Kind.UNSUPPORTED) {
                    throw refused;
                }
            }
        }
        return ofFirstByte(version);
    }

    /// What the answer to a request for the first byte says, also of servers whose answer to `HEAD` says nothing.
    ///
    /// @param version that `HEAD` told; or empty
    private ObjectMetadata ofFirstByte(String version) throws IOException {
        try {
            return client.exchange(1, RangeRead.ofFirstByte(request, metadata, client.counters()));
        } catch (StorageException without) {
            ObjectMetadata known = metadata.known();
            if (known != null) {
                return known; // the whole was sent in place of the byte, which says as much
            }
            if (without.kind() == Kind.RANGE && byHead) {
                return metadata.learn(location, 0, version); // an empty object has no first byte
            }
            throw without;
        }
    }

    @Override
    public void read(long offset, MemorySegment target) throws IOException {
        read(List.of(new Piece(offset, target)));
    }

    @Override
    public List<Lease> read(List<ByteRange> ranges, BufferPool pool) throws IOException {
        List<Lease> leases = new ArrayList<>(ranges.size());
        try {
            List<Piece> pieces = new ArrayList<>(ranges.size());
            for (ByteRange range : ranges) {
                Lease lease = pool.lease(range.length());
                leases.add(lease);
                pieces.add(new Piece(range.offset(), lease.segment()));
            }
            if (!pieces.isEmpty()) {
                read(pieces);
            }
            return leases;
        } catch (Throwable failure) {
            leases.forEach(Lease::close);
            throw failure;
        }
    }

    private void read(List<Piece> pieces) throws IOException {
        StorageOptions.Ranges ranges = client.options().ranges();
        client.counters().reads.add(pieces.size());
        List<ParallelTasks.Task> tasks = new ArrayList<>();
        for (Scatter part : RangePlanner.of(pieces, ranges.gapBytes(), ranges.largestBytes())) {
            tasks.add(() -> client.hedge()
                    .read(
                            part.end() - part.at(),
                            end -> received(part, part, end),
                            end -> received(part.twin(), part, end))
                    .keep());
        }
        ParallelTasks.run(tasks);
    }

    /// @param wanted where the bytes belong, which may be where they are
    private RangeAnswer received(Scatter read, Scatter wanted, Cancellation cancellation) throws IOException {
        client.exchange(
                read.end() - read.at(), new RangeRead(request, metadata, read, client.counters(), cancellation));
        return new RangeAnswer(read, wanted);
    }

    /// A range that was read.
    private record RangeAnswer(Scatter read, Scatter wanted) implements Hedge.Answer {
        void keep() {
            if (read != wanted) {
                wanted.copyFrom(read);
            }
        }

        @Override
        public void discard() {}
    }

    @Override
    public Lease readAll(BufferPool pool, long limitBytes) throws IOException {
        client.counters().reads.increment();
        return client.hedge()
                .read(WHOLE, end -> whole(pool, limitBytes, end), end -> whole(pool, limitBytes, end))
                .lease();
    }

    private WholeAnswer whole(BufferPool pool, long limitBytes, Cancellation cancellation) throws IOException {
        WholeRead read = new WholeRead(request, metadata, pool, limitBytes, client.counters(), cancellation);
        try {
            return new WholeAnswer(client.exchange(limitBytes, read));
        } catch (Throwable failure) {
            read.release();
            throw failure;
        }
    }

    /// An object that was read.
    private record WholeAnswer(Lease lease) implements Hedge.Answer {
        @Override
        public void discard() {
            lease.close();
        }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return location.toString();
    }
}
