package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.range.Scatter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.WholeObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// Reads a whole object in one request, whose response says how large it is; after a failure it goes on where it was.
final class WholeRead implements RangeClient.Receiver<Lease> {
    private static final int SCRATCH = 4 << 10;
    private static final long FIRST_BYTES = 256 << 10;

    private final ObjectRequest object;
    private final MetadataTracker metadata;
    private final BufferPool pool;
    private final long limitBytes;
    private final HttpCounters counters;
    private final Cancellation cancellation;
    private @Nullable Lease lease;
    private @Nullable RangeRead remaining;

    WholeRead(
            ObjectRequest object,
            MetadataTracker metadata,
            BufferPool pool,
            long limitBytes,
            HttpCounters counters,
            Cancellation cancellation) {
        this.object = object;
        this.metadata = metadata;
        this.pool = pool;
        this.limitBytes = limitBytes;
        this.counters = counters;
        this.cancellation = cancellation;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public ObjectRequest request() {
        return remaining == null ? object.version(metadata.version()) : remaining.request();
    }

    @Override
    public ByteBuffer scratch() {
        return remaining == null ? ByteBuffer.allocate(SCRATCH) : remaining.scratch();
    }

    @Override
    public Lease receive(ResponseHead head, ResponseBody body) throws IOException {
        Lease whole = lease;
        if (whole != null && remaining != null) {
            remaining.receive(head, body);
            return whole;
        }
        head.requirePlain(object.location());
        long length = head.contentLength().orElse(-1);
        if (length < 0) {
            return grown(head, body);
        }
        metadata.learn(length, head.version());
        whole = pool.lease(WholeObject.check(object.location(), length, limitBytes));
        lease = whole;
        Scatter target = Scatter.of(0, whole.segment());
        try {
            RangeRead.fill(target, length, body, counters);
        } finally {
            if (target.at() > 0 && !target.isFull() && !head.version().isEmpty()) {
                remaining = new RangeRead(object, metadata, target, counters, cancellation);
            } else if (!target.isFull()) {
                release(); // nothing came, or nothing tells two versions apart: the next attempt begins anew
            }
        }
        return whole;
    }

    /// Reads a body in chunks, whose size only its end tells. After a failure it begins anew.
    private Lease grown(ResponseHead head, ResponseBody body) throws IOException {
        if (!body.hasEnd() || !head.header("content-encoding").isEmpty()) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED,
                    "the server does not say how large the object is"
                            + (body.hasEnd() ? ", and compresses it on the way" : ", nor where it ends"));
        }
        Lease whole = pool.lease(Math.min(FIRST_BYTES, limitBytes));
        long size = 0;
        try {
            for (boolean ended = false; !ended; ) {
                Scatter target = Scatter.of(size, whole.segment().asSlice(size));
                try {
                    ended = body.fillUpToEnd(target);
                } finally {
                    counters.bytes.add(target.at() - size);
                }
                size = target.at();
                if (!ended) {
                    WholeObject.check(object.location(), size + 1, limitBytes);
                    whole = larger(whole);
                }
            }
            WholeObject.check(object.location(), size, limitBytes);
            metadata.learn(size, head.version());
            Lease all = whole;
            return Lease.adopt(all.segment().asSlice(0, size), all::close);
        } catch (Throwable failure) {
            whole.close();
            throw failure;
        }
    }

    private Lease larger(Lease full) {
        Lease larger = pool.lease(Math.min(2 * full.byteSize(), limitBytes));
        larger.segment().asSlice(0, full.byteSize()).copyFrom(full.segment());
        full.close();
        return larger;
    }

    /// Releases the memory of a read that failed.
    void release() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
