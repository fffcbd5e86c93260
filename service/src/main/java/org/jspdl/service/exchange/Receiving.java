package org.jspdl.service.exchange;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspecify.annotations.Nullable;

/// Receives one answer: leases memory for it once its length is known and allowed. Thread-safe.
///
/// Whoever takes the lease of the response closes it. Otherwise [#discard] is called, after which nothing is leased.
final class Receiving implements BodyHandler<Lease> {
    private final BufferPool pool;
    private final long mostBytes;
    private @Nullable ReceivingBody body;
    private boolean discarded;

    /// @param mostBytes of a good answer; of others [Exchanges#MOST_OTHER]
    Receiving(BufferPool pool, long mostBytes) {
        this.pool = pool;
        this.mostBytes = mostBytes;
    }

    @Override
    public synchronized BodySubscriber<Lease> apply(ResponseInfo info) {
        long length = info.headers().firstValueAsLong("Content-Length").orElse(-1);
        long most = info.statusCode() == 200 ? mostBytes : Exchanges.MOST_OTHER;
        if (length < 1 || length > most || discarded) {
            throw new UncheckedIOException(refused(length, info.statusCode(), most));
        }
        ReceivingBody receiving = new ReceivingBody(pool, length);
        body = receiving;
        return receiving;
    }

    /// Why an answer of this length is not received.
    static IOException refused(long length, int status, long most) {
        return new IOException("it announces " + length + " bytes (status " + status + "), of at most " + most);
    }

    /// Releases what was received and what is still to come.
    void discard() {
        @Nullable ReceivingBody receiving;
        synchronized (this) {
            discarded = true;
            receiving = body;
        }
        if (receiving != null) {
            receiving.abandon();
            receiving.getBody().thenAccept(Lease::close);
        }
    }
}
