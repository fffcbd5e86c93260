package org.jspdl.data.internal.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.WholeObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// Reads a whole object in one request, whose answer says how large it is; after a failure it goes on where it was.
final class WholeRead implements RangeClient.Receiver<Lease> {
    private static final int SCRATCH = 4 << 10;

    private final Ask object;
    private final ObjectFacts facts;
    private final BufferPool pool;
    private final long limitBytes;
    private final HttpCounters counters;
    private @Nullable Lease lease;
    private @Nullable RangeRead remaining;

    WholeRead(Ask object, ObjectFacts facts, BufferPool pool, long limitBytes, HttpCounters counters) {
        this.object = object;
        this.facts = facts;
        this.pool = pool;
        this.limitBytes = limitBytes;
        this.counters = counters;
    }

    @Override
    public Ask ask() {
        return remaining == null ? object.version(facts.version()) : remaining.ask();
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
        long length = head.contentLength().orElse(-1);
        if (length < 0) {
            throw Refusal.forGood(Kind.UNSUPPORTED, "the server does not say how large the object is");
        }
        facts.learn(length, head.version());
        whole = pool.lease(WholeObject.check(Location.shown(object.location()), length, limitBytes));
        lease = whole;
        Scatter target = Scatter.of(0, whole.segment());
        try {
            RangeRead.fill(target, length, body, counters);
        } finally {
            if (target.at() > 0 && !target.isFull()) {
                remaining = new RangeRead(object, facts, target, counters);
            } else if (!target.isFull()) {
                giveUp(); // nothing came: the next attempt begins anew
            }
        }
        return whole;
    }

    /// Releases the memory of a read that failed.
    void giveUp() {
        if (lease != null) {
            lease.close();
            lease = null;
        }
    }
}
