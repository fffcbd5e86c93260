package org.jspdl.data.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageStats;

/// Sends requests until they are answered well, or not worth repeating. Thread-safe; blocks, and is meant for virtual
/// threads.
public final class RangeClient implements AutoCloseable {
    private static final long BASE_TIME = Duration.ofSeconds(10).toNanos();
    private static final int MOST_REDIRECTIONS = 5;
    /// With less time left, another attempt is not worth beginning.
    private static final long SHORTEST_ATTEMPT = Duration.ofMillis(50).toNanos();

    private final StorageOptions options;
    private final Authorizer authorizer;
    private final ConnectionPool connections;
    private final RetryBudget budget;
    private final HttpCounters counters = new HttpCounters();
    private final RetryClock clock;
    private final Set<HttpAddress.Host> reached = ConcurrentHashMap.newKeySet();

    /// What is done with a good answer, on the thread that asked. Called again, with another answer, after it
    /// threw.
    interface Receiver<T> {
        /// The request as it is to be sent now.
        Ask ask();

        /// Room that may serve as a buffer while the head of the answer arrives.
        ByteBuffer scratch();

        T receive(ResponseHead head, ResponseBody body) throws IOException;
    }

    /// What came of one request: a value, or where to ask instead.
    private record Answer<T>(Optional<T> value, String redirected, boolean keepsConnection) {}

    /// A client that says who asks by `authorizer`; the caller closes it.
    public RangeClient(StorageOptions options, Authorizer authorizer) {
        this(
                options,
                authorizer,
                (SSLSocketFactory) SSLSocketFactory.getDefault(),
                new Proxies(System.getenv()),
                RetryClock.system());
    }

    RangeClient(
            StorageOptions options, Authorizer authorizer, SSLSocketFactory tls, Proxies proxies, RetryClock clock) {
        this.options = options;
        this.authorizer = authorizer;
        this.connections = new ConnectionPool(options.requestsPerHost(), tls, proxies);
        this.budget = new RetryBudget(options.retryBudget(), clock.nanos());
        this.clock = clock;
    }

    StorageOptions options() {
        return options;
    }

    HttpCounters counters() {
        return counters;
    }

    /// What was asked and received so far.
    public StorageStats stats() {
        return counters.snapshot();
    }

    /// The whole answer from `address`, which is text for machines, such as a listing.
    public byte[] text(String location, HttpAddress address) throws IOException {
        return exchange(1, new TextRead(Ask.get(location, address)));
    }

    /// Asks until `receiver` has taken an answer.
    ///
    /// @param expectedBytes of the body; a request may take 10 s, and one more for each MiB
    /// @throws StorageException       if there is no good answer before the deadline
    /// @throws InterruptedIOException if the thread was interrupted
    <T> T exchange(long expectedBytes, Receiver<T> receiver) throws IOException {
        long deadline = clock.nanos() + options.readDeadline().toNanos();
        long requestTime = BASE_TIME + (expectedBytes >> 20) * 1_000_000_000L;
        LongSupplier expiry = () -> Math.min(deadline, clock.nanos() + requestTime);
        budget.requested();
        for (int attempt = 1; ; attempt++) {
            try {
                return attempt(receiver, expiry, deadline);
            } catch (UnknownHostException failure) {
                // a name that was known before is known again soon; another is misspelt
                if (!reached.contains(receiver.ask().address().host())) {
                    throw new StorageException(
                            Kind.UNAVAILABLE,
                            Location.shown(receiver.ask().location()),
                            failure.getMessage() + "; check the spelling, and whether this machine has a network",
                            failure);
                }
                awaitRetry(receiver.ask(), attempt, deadline, failure);
            } catch (SocketTimeoutException failure) {
                awaitRetry(receiver.ask(), attempt, deadline, failure);
            } catch (StorageException | InterruptedIOException failure) {
                throw failure;
            } catch (IOException failure) {
                awaitRetry(receiver.ask(), attempt, deadline, failure);
            }
        }
    }

    /// Waits until the request may be sent again.
    private void awaitRetry(Ask ask, int attempt, long deadline, IOException failure) throws IOException {
        Refusal refusal =
                failure instanceof Refusal known ? known : Refusal.damaged(String.valueOf(failure.getMessage()));
        if (refusal.isThrottling()) {
            counters.throttled.increment();
        }
        if (!refusal.isRetried() || connections.isClosed()) {
            throw new StorageException(refusal.kind(), Location.shown(ask.location()), refusal.reason());
        }
        long pause = Backoff.nanos(attempt, refusal.retryAfter(), deadline - clock.nanos());
        do {
            if (clock.nanos() + Math.max(pause, SHORTEST_ATTEMPT) - deadline >= 0) {
                throw givenUp(ask, attempt, failure);
            }
            clock.pause(pause);
            pause = Backoff.nanos(attempt + 1, Duration.ZERO, deadline - clock.nanos());
        } while (!budget.takeRetry(clock.nanos()));
        counters.retries.increment();
    }

    private StorageException givenUp(Ask ask, int attempts, IOException failure) {
        return new StorageException(
                Kind.UNAVAILABLE,
                Location.shown(ask.location()),
                "gave up after " + attempts + (attempts == 1 ? " attempt" : " attempts") + " within "
                        + options.readDeadline().toMillis() + " ms: " + failure.getMessage(),
                failure);
    }

    private <T> T attempt(Receiver<T> receiver, LongSupplier expiry, long deadline) throws IOException {
        HttpAddress address = receiver.ask().address();
        boolean fresh = false;
        for (int redirections = 0; redirections <= MOST_REDIRECTIONS; ) {
            Ask ask = receiver.ask().address(address);
            Connection connection = connections.take(address.host(), fresh, expiry.getAsLong(), deadline);
            boolean sound = false;
            try {
                Answer<T> answer = exchange(ask, receiver, connection);
                sound = answer.keepsConnection();
                if (answer.value().isPresent()) {
                    return answer.value().get();
                }
                address = address.redirected(answer.redirected());
                redirections++;
            } catch (EOFException | java.net.SocketException stale) {
                // the server closed a kept connection while nobody looked: that is nobody's failure
                if (fresh || !connection.wasUsed() || connection.answered()) {
                    throw stale;
                }
                fresh = true;
            } finally {
                connections.release(ask.address().host(), connection, sound);
            }
        }
        throw Refusal.forGood(Kind.UNAVAILABLE, "redirected more than " + MOST_REDIRECTIONS + " times");
    }

    private <T> Answer<T> exchange(Ask ask, Receiver<T> receiver, Connection connection) throws IOException {
        Map<String, String> headers = ask.headers();
        authorizer.authorize(ask.method(), ask.address(), headers);
        counters.requests.increment();
        connection.send(ask.bytes(headers, connection.forwarding()));
        ResponseHead head = connection.head(receiver.scratch());
        reached.add(ask.address().host());
        boolean hasBody = !ask.method().equals("HEAD");
        ResponseBody body = ResponseBody.of(head, connection, hasBody);
        int status = head.status();
        if (status >= 300 && status < 400) {
            return new Answer<>(Optional.empty(), redirection(head), head.keepsConnection() && body.isConsumed());
        }
        if (status != 200 && status != 206) {
            throw Refusal.of(
                    status,
                    hasBody ? Body.beginning(body) : "",
                    Backoff.retryAfter(head.header("retry-after"), Instant.now()));
        }
        if (status == 206 && ask.range().isEmpty()) {
            throw Refusal.forGood(
                    Kind.UNSUPPORTED, "the server sends a part of the object when it is asked for the whole");
        }
        try {
            T value = receiver.receive(head, body);
            return new Answer<>(Optional.of(value), "", body.isConsumed() && head.keepsConnection());
        } catch (Refusal | EOFException failure) {
            counters.damaged.increment();
            throw failure;
        }
    }

    private String redirection(ResponseHead head) throws Refusal {
        String to = head.header("location");
        String region = head.header("x-amz-bucket-region");
        if (to.isEmpty() || authorizer.isPersonal()) {
            throw Refusal.forGood(
                    Kind.UNSUPPORTED,
                    "the server said " + head.status() + ": the object is elsewhere"
                            + (region.isEmpty() ? "" : ", in the region " + region + "; set AWS_REGION to it"));
        }
        return to;
    }

    @Override
    public void close() {
        connections.close();
    }
}
