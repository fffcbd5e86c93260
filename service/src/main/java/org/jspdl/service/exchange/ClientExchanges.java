package org.jspdl.service.exchange;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// Requests by the JDK's client, which knows TLS and proxies, and copies what comes.
///
/// @param client owned by the caller
/// @param token  what requests carry; empty for none
/// @param loader who asks
/// @param pool   of the memory for what comes
public record ClientExchanges(HttpClient client, Optional<String> token, String loader, BufferPool pool)
        implements Exchanges {
    private static final int PART = 1 << 30;

    @Override
    public Sent send(URI worker, String path, long mostBytes) {
        Receiving receiving = new Receiving(pool, mostBytes);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(worker.resolve(path)).header(LOADER, loader);
        Exchanges.authorization(token).ifPresent(value -> request.header("Authorization", value));
        CompletableFuture<HttpResponse<Lease>> sent = client.sendAsync(request.build(), receiving);
        CompletableFuture<Answer> answer = sent.thenApply(ClientExchanges::answer);
        return new Sent(answer, () -> {
            answer.cancel(true);
            sent.cancel(true);
            receiving.discard();
        });
    }

    private static Answer answer(HttpResponse<Lease> response) {
        CRC32C sum = new CRC32C();
        Lease body = response.body();
        for (long at = 0; at < body.byteSize(); at += PART) {
            sum.update(body.segment()
                    .asSlice(at, Math.min(PART, body.byteSize() - at))
                    .asByteBuffer());
        }
        return new Answer(
                response.statusCode(),
                response.headers().firstValue(CHECKSUM).orElse("none"),
                Exchanges.told(sum),
                body);
    }

    @Override
    public void close() {
        // the client is closed by its owner
    }
}
