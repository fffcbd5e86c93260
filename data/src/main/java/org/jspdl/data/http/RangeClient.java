package org.jspdl.data.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.http.pace.Backoff;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.pace.Hedge;
import org.jspdl.data.http.pace.RequestTimes;
import org.jspdl.data.http.pace.RetryBudget;
import org.jspdl.data.http.pace.RetryClock;
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
    private static final System.Logger LOG = System.getLogger(RangeClient.class.getName());
    private static final long WARN_AFTER = Duration.ofSeconds(10).toNanos();
    private static final long WARN_AGAIN = Duration.ofSeconds(60).toNanos();
    /// With less time left, another attempt is not worth beginning.
    /// How long a host that has never answered may refuse connections: it may be starting, or be called otherwise.
    private static final Duration FIRST_CONTACT = Duration.ofSeconds(20);

    private static final long SHORTEST_ATTEMPT = Duration.ofMillis(50).toNanos();

    private final StorageOptions options;
    private final Authorizer authorizer;
    private final ConnectionPool connections;
    private final RetryBudget budget;
    private final HttpCounters counters = new HttpCounters();
    private final Hedge hedge;
    private final RetryClock clock;
    private final AtomicLong warnedAt;
    private final Set<HttpAddress.Host> reached = ConcurrentHashMap.newKeySet();

    /// What is done with a good response, on the thread that asked. Called again, with another response, after it
    /// threw.
    interface Receiver<T> {
        /// The request as it is to be sent now.
        ObjectRequest request();

        /// Room that may serve as a buffer while the head of the response arrives.
        ByteBuffer scratch();

        T receive(ResponseHead head, ResponseBody body) throws IOException;

        /// What ends it early.
        default Cancellation cancellation() {
            return new Cancellation();
        }
    }

    /// What came of one request: a value, or where to ask instead.
    record Attempt<T>(Optional<T> value, String redirected, boolean keepsConnection) {}

    /// A client that says who asks by `authorizer`; the caller closes it.
    public RangeClient(StorageOptions options, Authorizer authorizer) {
        this(
                options,
                authorizer,
                new ConnectionPool(
                        options,
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        new ProxySettings(System.getenv()),
                        NameLookups.ofSystem()),
                RetryClock.system());
    }

    RangeClient(StorageOptions options, Authorizer authorizer, ConnectionPool connections, RetryClock clock) {
        this.options = options;
        this.authorizer = authorizer;
        this.connections = connections;
        this.budget = new RetryBudget(options.retries().budget(), clock.nanos());
        this.hedge = new Hedge(options.hedging(), counters.retries, counters.hedged);
        this.clock = clock;
        this.warnedAt = new AtomicLong(clock.nanos() - WARN_AGAIN);
    }

    StorageOptions options() {
        return options;
    }

    HttpCounters counters() {
        return counters;
    }

    /// Sends slow reads a second time.
    Hedge hedge() {
        return hedge;
    }

    /// What was asked and received so far.
    public StorageStats stats() {
        return counters.snapshot();
    }

    /// The whole response from `address`, which is text for machines, such as a listing.
    public byte[] text(Location location, HttpAddress address) throws IOException {
        return page(location, address).text();
    }

    /// The same, with what the response says of where it goes on.
    public TextPage page(Location location, HttpAddress address) throws IOException {
        return exchange(1, new TextRead(ObjectRequest.get(location, address)));
    }

    /// Sends `update` to `address`, again and again until it is answered well or `within` has passed. A request may
    /// take 10 s, and 8 s more for each MiB.
    public TextPage update(Location location, HttpAddress address, ObjectUpdate update, Duration within)
            throws IOException {
        TextRead answer = new TextRead(ObjectRequest.update(location, address, update));
        return exchange(8 * update.body().byteSize(), within, answer);
    }

    /// Asks until `receiver` has taken a response.
    ///
    /// @param expectedBytes of the body; a request may take 10 s, and one more for each MiB
    /// @throws StorageException       if there is no good response before the deadline
    /// @throws InterruptedIOException if the thread was interrupted
    <T> T exchange(long expectedBytes, Receiver<T> receiver) throws IOException {
        return exchange(expectedBytes, options.readDeadline(), receiver);
    }

    private <T> T exchange(long expectedBytes, Duration within, Receiver<T> receiver) throws IOException {
        ObjectRequest asked = receiver.request();
        RequestTimes times = RequestTimes.of(options.requests(), asked.method(), asked.range(), asked.location());
        try {
            return exchange(expectedBytes, within, receiver, times);
        } catch (IOException | RuntimeException failure) {
            times.failed(receiver.cancellation().isCancelled() ? "another request was faster" : failure.getMessage());
            throw failure;
        } finally {
            times.end();
        }
    }

    private <T> T exchange(long expectedBytes, Duration within, Receiver<T> receiver, RequestTimes times)
            throws IOException {
        long deadline = clock.nanos() + within.toNanos();
        long requestTime = BASE_TIME + (expectedBytes >> 20) * 1_000_000_000L;
        Cancellation cancellation = receiver.cancellation();
        LongSupplier expiry = () -> Math.min(deadline, clock.nanos() + requestTime);
        budget.requested();
        IOException answer = null;
        while (true) {
            try {
                T value = attempt(receiver, expiry, deadline, times);
                if (times.attempts() > 1) {
                    budget.retrySucceeded();
                }
                return value;
            } catch (UnknownHostException failure) {
                // a name that was known before is known again soon; another is misspelt
                if (!reached.contains(receiver.request().address().host())) {
                    throw new StorageException(
                            Kind.UNAVAILABLE,
                            receiver.request().location(),
                            failure.getMessage() + "; check the spelling, and whether this machine has a network",
                            failure);
                }
                awaitRetry(receiver.request(), times, deadline, within, failure, cancellation);
            } catch (ConnectException failure) {
                boolean known = reached.contains(receiver.request().address().host());
                Duration patience = known ? within : shorter(within, FIRST_CONTACT);
                long until = deadline - within.minus(patience).toNanos();
                awaitRetry(receiver.request(), times, until, patience, failure, cancellation);
            } catch (SocketTimeoutException failure) {
                // a last attempt that the deadline cut short tells less than the answer before it
                IOException told = answer != null && deadline - clock.nanos() < SHORTEST_ATTEMPT ? answer : failure;
                awaitRetry(receiver.request(), times, deadline, within, told, cancellation);
            } catch (StorageException | InterruptedIOException failure) {
                throw failure;
            } catch (IOException failure) {
                answer = failure;
                awaitRetry(receiver.request(), times, deadline, within, failure, cancellation);
            }
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Waits until the request may be sent again.
    private void awaitRetry(
            ObjectRequest request,
            RequestTimes times,
            long deadline,
            Duration within,
            IOException failure,
            Cancellation cancellation)
            throws IOException {
        if (cancellation.isCancelled()) {
            throw failure;
        }
        UnexpectedResponseException cause = failure instanceof UnexpectedResponseException known
                ? known
                : UnexpectedResponseException.retryable(String.valueOf(failure.getMessage()));
        if (cause.isThrottling()) {
            counters.throttled.increment();
            connections.throttled(request.address().host());
        }
        if (!cause.isRetryable() || connections.isClosed()) {
            throw new StorageException(cause.kind(), request.location(), cause.reason());
        }
        warnOfTrouble(request, deadline, within, failure);
        long begun = times.now();
        long pause = Backoff.nanos(options.retries(), times.attempts(), cause.retryAfter(), deadline - clock.nanos());
        do {
            if (clock.nanos() + Math.max(pause, SHORTEST_ATTEMPT) - deadline >= 0) {
                throw gaveUp(request, times.attempts(), within, failure);
            }
            cancellation.pause(clock, pause);
            pause = Backoff.nanos(options.retries(), times.attempts() + 1, Duration.ZERO, deadline - clock.nanos());
        } while (!cancellation.isCancelled() && !budget.takeRetry(clock.nanos()));
        counters.retries.increment();
        times.pausedSince(begun, failure.getMessage());
    }

    /// A run that waits for a storage says so, or it would look as if it hung.
    private void warnOfTrouble(ObjectRequest request, long deadline, Duration within, IOException failure) {
        long now = clock.nanos();
        long warned = warnedAt.get();
        long waited = within.toNanos() - (deadline - now);
        if (waited > WARN_AFTER && now - warned >= WARN_AGAIN && warnedAt.compareAndSet(warned, now)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}: no good answer for {1} s ({2}); asking again for up to {3} s",
                    request.location(),
                    waited / 1_000_000_000,
                    failure.getMessage(),
                    (deadline - now) / 1_000_000_000);
        }
    }

    private static StorageException gaveUp(ObjectRequest request, int attempts, Duration within, IOException failure) {
        return new StorageException(
                Kind.UNAVAILABLE,
                request.location(),
                "gave up after " + attempts + (attempts == 1 ? " attempt" : " attempts") + " within "
                        + within.toMillis() + " ms: " + failure.getMessage(),
                failure);
    }

    private <T> T attempt(Receiver<T> receiver, LongSupplier expiry, long deadline, RequestTimes times)
            throws IOException {
        times.attempted();
        Cancellation cancellation = receiver.cancellation();
        HttpAddress address = receiver.request().address();
        boolean fresh = false;
        for (int redirections = 0; redirections <= MOST_REDIRECTIONS; ) {
            ObjectRequest request = receiver.request().address(address);
            long asked = times.now();
            Connection connection = connections.take(address.host(), fresh, expiry.getAsLong(), deadline, cancellation);
            times.queuedSince(asked);
            boolean sound = false;
            try {
                cancellation.use(connection);
                Attempt<T> outcome = exchange(request, receiver, connection);
                sound = outcome.keepsConnection();
                if (outcome.value().isPresent()) {
                    return outcome.value().get();
                }
                address = address.redirected(outcome.redirected());
                redirections++;
            } catch (EOFException | java.net.SocketException stale) {
                // the server closed a kept connection while nobody looked: that is nobody's failure
                if (fresh || !connection.wasUsed() || connection.answered() || cancellation.isCancelled()) {
                    throw stale;
                }
                fresh = true;
            } finally {
                cancellation.done(); // before others may have the connection
                connections.release(request.address().host(), connection, sound);
            }
        }
        throw UnexpectedResponseException.permanent(
                Kind.UNAVAILABLE, "redirected more than " + MOST_REDIRECTIONS + " times");
    }

    /// One request and its response on `connection`.
    <T> Attempt<T> exchange(ObjectRequest request, Receiver<T> receiver, Connection connection) throws IOException {
        Map<String, String> headers = request.headers();
        authorizer.authorize(request.method(), request.address(), headers);
        counters.requests.increment();
        connection.send(request.bytes(headers, connection.forwarding()), request.body());
        ResponseHead head = connection.head(receiver.scratch());
        reached.add(request.address().host());
        boolean hasBody = !request.method().equals("HEAD");
        ResponseBody body = ResponseBody.of(head, connection, hasBody);
        int status = head.status();
        if (status >= 300 && status < 400) {
            return new Attempt<>(Optional.empty(), redirection(head), head.keepsConnection() && body.isConsumed());
        }
        if (status != 200 && status != 206 && (request.update().isEmpty() || status / 100 != 2)) {
            throw UnexpectedResponseException.of(
                    status,
                    hasBody ? TextBody.beginning(body) : "",
                    head.header("x-ms-error-code"),
                    Backoff.retryAfter(head.header("retry-after"), head.header("date"), Instant.now()));
        }
        if (status == 206 && request.range().isEmpty()) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED, "the server sends a part of the object when it is asked for the whole");
        }
        try {
            T value = receiver.receive(head, body);
            connections.answered(request.address().host());
            return new Attempt<>(
                    Optional.of(value), "", body.isConsumed() && head.keepsConnection() && connection.sentAll());
        } catch (UnexpectedResponseException | EOFException failure) {
            counters.damaged.increment();
            throw failure;
        }
    }

    private String redirection(ResponseHead head) throws UnexpectedResponseException {
        String to = head.header("location");
        String region = head.header("x-amz-bucket-region");
        if (to.isEmpty() || authorizer.isPersonal()) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED,
                    "the server said " + head.status() + ": the object is elsewhere"
                            + (region.isEmpty() ? "" : ", in the region " + region + "; set AWS_REGION to it"));
        }
        return to;
    }

    @Override
    public void close() {
        hedge.close();
        connections.close();
    }
}
