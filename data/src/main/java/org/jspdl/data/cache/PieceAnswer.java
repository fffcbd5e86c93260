package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The answer of a peer, which goes straight to its place if it is the piece that was asked for, and of its length.
/// After [#abandon] nothing is written there. Thread-safe.
final class PieceAnswer implements BodyHandler<PieceAnswer.Outcome>, BodySubscriber<PieceAnswer.Outcome> {
    private final PieceName name;
    private final long length;
    private final CompletableFuture<Void> begun = new CompletableFuture<>();
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable MemorySegment target;
    private Flow.@Nullable Subscription subscription;
    private Outcome told = new Outcome(0, "", "");
    private long at;

    /// What came.
    ///
    /// @param wrong    why it is not what was asked for; empty if it is, or nothing was sent
    /// @param checksum that the peer says it has
    record Outcome(int status, String wrong, String checksum) {}

    PieceAnswer(PieceName name, MemorySegment target) {
        this.name = name;
        this.target = target;
        this.length = target.byteSize();
    }

    /// Done when the peer has begun to answer.
    CompletableFuture<Void> begun() {
        return begun;
    }

    @Override
    public BodySubscriber<Outcome> apply(ResponseInfo info) {
        long announced = info.headers().firstValueAsLong("Content-Length").orElse(-1);
        String identity = info.headers().firstValue(CacheServer.IDENTITY).orElse("");
        boolean sends = info.statusCode() == CacheServer.OK;
        String wrong = !sends
                ? ""
                : announced != length
                        ? "it has " + announced + " bytes instead of " + length
                        : identity.equals(name.identity()) ? "" : "it is another piece";
        lock.lock();
        try {
            told = new Outcome(
                    info.statusCode(),
                    wrong,
                    info.headers().firstValue(CacheServer.CHECKSUM).orElse(""));
            if (!sends || !wrong.isEmpty()) {
                target = null;
            }
        } finally {
            lock.unlock();
        }
        begun.complete(null);
        return this;
    }

    @Override
    public CompletionStage<Outcome> getBody() {
        return outcome;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        lock.lock();
        try {
            for (ByteBuffer buffer : buffers) {
                int bytes = buffer.remaining();
                if (target == null || bytes > length - at) {
                    stop();
                    return;
                }
                target.asSlice(at, bytes).copyFrom(MemorySegment.ofBuffer(buffer));
                at += bytes;
            }
        } finally {
            lock.unlock();
        }
    }

    /// What comes is not wanted: the connection is given up.
    private void stop() {
        target = null;
        if (subscription != null) {
            subscription.cancel();
        }
        outcome.complete(
                told.status() == CacheServer.OK && told.wrong().isEmpty()
                        ? new Outcome(told.status(), "it does not end after " + length + " bytes", "")
                        : told);
    }

    @Override
    public void onError(Throwable failure) {
        outcome.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        lock.lock();
        try {
            if (target != null && at != length) {
                outcome.completeExceptionally(new IOException("it ended after " + at + " of " + length + " bytes"));
            } else {
                outcome.complete(told);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Nothing is written from now on.
    void abandon() {
        lock.lock();
        try {
            target = null;
        } finally {
            lock.unlock();
        }
    }
}
