package org.jspdl.service.exchange;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// Receives a body of known length into memory that is leased for it. Whoever gets the lease closes it; one that nobody
/// got is closed by [#abandon], after which nothing is written to it.
final class ReceivingBody implements BodySubscriber<Lease> {
    private final CompletableFuture<Lease> body = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final long length;
    private @Nullable Lease lease;
    private long at;

    ReceivingBody(BufferPool pool, long length) {
        this.length = length;
        this.lease = pool.lease(length);
    }

    @Override
    public CompletionStage<Lease> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        lock.lock();
        try {
            Lease target = lease;
            for (ByteBuffer buffer : buffers) {
                int bytes = buffer.remaining();
                if (target == null || bytes > length - at) {
                    return; // given up, or more than was announced, which the end tells
                }
                target.segment().asSlice(at, bytes).copyFrom(MemorySegment.ofBuffer(buffer));
                at += bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onError(Throwable failure) {
        abandon();
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        @Nullable Lease whole = null;
        lock.lock();
        try {
            if (at == length) {
                whole = lease;
                lease = null;
            }
        } finally {
            lock.unlock();
        }
        if (whole == null) {
            abandon();
            body.completeExceptionally(new IOException("it ended after " + at + " of " + length + " bytes"));
        } else if (!body.complete(whole)) {
            whole.close();
        }
    }

    /// Nobody waits for the body any more.
    void abandon() {
        lock.lock();
        try {
            if (lease != null) {
                lease.close();
                lease = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
