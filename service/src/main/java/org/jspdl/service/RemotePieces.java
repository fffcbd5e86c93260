package org.jspdl.service;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import org.jspdl.data.http.pace.Cancellation;
import org.jspdl.data.http.pace.Hedge;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider.Wanted;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.input.FormatException;
import org.jspdl.json.Json;
import org.jspdl.json.JsonException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.service.exchange.Answer;
import org.jspdl.service.exchange.ClientExchanges;
import org.jspdl.service.exchange.DirectExchanges;
import org.jspdl.service.exchange.Exchanges;
import org.jspecify.annotations.Nullable;

/// Pieces of workers on other machines: asks whichever is free, another when one is slow or gone, and checks everything
/// that comes. Thread-safe; closed after the last piece.
public final class RemotePieces implements ImageService {
    private static final StorageOptions.Hedging HEDGING = new StorageOptions.Hedging(0.98, 1);
    /// Workers that are asked for one piece beside the first, each after the time after which a piece is late.
    private static final int MOST_HEDGES = 8;

    /// Bytes of a piece that are wanted at most, beside one image.
    private static final long MOST_BYTES = 256L << 20;

    private final Workers workers;
    private final ClientOptions options;
    private final Description description;
    private final Served served;
    private final ExecutorService threads;
    private final HttpClient client;
    private final Exchanges direct;
    private final Exchanges byClient;
    private final LongAdder retries = new LongAdder();
    private final LongAdder hedged = new LongAdder();
    private final Hedge hedge;
    private final BufferPool pool = BufferPool.unbounded("pieces of a service");

    private RemotePieces(
            Workers workers,
            ClientOptions options,
            Description description,
            ExecutorService threads,
            HttpClient client) {
        this.workers = workers;
        this.options = options;
        this.description = description;
        this.served = description.served(Math.clamp(MOST_BYTES / description.rowBytes(), 1, Integer.MAX_VALUE));
        this.threads = threads;
        this.client = client;
        String loader = UUID.randomUUID().toString();
        this.direct = new DirectExchanges(options.token(), loader, pool, threads);
        this.byClient = new ClientExchanges(client, options.token(), loader, pool);
        this.hedge = new Hedge(HEDGING, MOST_HEDGES, options.hedge().toNanos(), retries, hedged);
    }

    /// A piece can't be had from any worker, however often it is asked.
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private record Got(ImagePiece piece) implements Hedge.Answer {
        @Override
        public void discard() {
            piece.close();
        }
    }

    /// Asks `addresses`, such as `http://decoder-3:8080`, what they serve, and settles on what most of those serve
    /// that have what is `wanted`. Waits for workers that are not there yet. `dns:///decoders:8080` is a worker at
    /// each address of a name, and `file:///shared/workers` one for each file of a folder, in which its address is;
    /// both are looked up again every 5 seconds.
    ///
    /// @throws IOException if none serves it; the message says what each does
    public static RemotePieces open(List<String> addresses, Wanted wanted, ClientOptions options) throws IOException {
        return open(Addresses.of(addresses), wanted, options);
    }

    /// The same.
    static RemotePieces open(Addresses addresses, Wanted wanted, ClientOptions options) throws IOException {
        SSLContext tls = options.tls().context();
        Workers workers = new Workers(addresses);
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-service-", 0).factory());
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(options.attempt())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(threads)
                .sslContext(tls)
                .build();
        try {
            Description description = new Agreement(workers, wanted, options, client).reach();
            return new RemotePieces(workers, options, description, threads, client);
        } catch (InterruptedException interrupted) {
            end(client, threads);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("asking the workers of the service was interrupted");
        } catch (Throwable failure) {
            end(client, threads);
            throw failure;
        }
    }

    static HttpRequest.Builder request(URI address, String path, ClientOptions options) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path));
        Exchanges.authorization(options.token()).ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    @Override
    public Served served() {
        return served;
    }

    @Override
    public int ahead() {
        long usual = (long) workers.size() * description.atOnce() + 2;
        return options.ahead() > 0 ? options.ahead() : (int) Math.min(usual, Integer.MAX_VALUE);
    }

    /// Requests that were sent to a second worker because the first was slow.
    public long hedged() {
        return hedged.sum();
    }

    /// Requests that had no good answer.
    public long retries() {
        return retries.sum();
    }

    @Override
    public ImagePiece read(Places places) throws IOException, InterruptedException {
        PieceAddress address = new PieceAddress(served.fingerprint(), places);
        long deadline = System.nanoTime() + options.patience().toNanos();
        while (true) {
            if (workers.areDue()) {
                threads.execute(workers::update);
            }
            Asked asked = new Asked(address, deadline);
            Optional<Worker> first = asked.next();
            if (first.isPresent()) {
                try {
                    return hedge.read(
                                    places.count() * served.rowBytes(),
                                    cancellation -> ask(first.get(), 0, asked, cancellation),
                                    cancellation -> askOthers(asked, cancellation))
                            .piece();
                } catch (RefusedException | InterruptedIOException end) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    throw end;
                } catch (IOException unanswered) {
                    retries.increment();
                }
            } else {
                workers.await(deadline, Set.of(), () -> false);
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new IOException("no worker gave the images of epoch " + places.epoch() + " from place "
                        + places.from() + " on within " + options.patience().toMillis() + " ms: "
                        + workers.troubles());
            }
        }
    }

    /// Who is asked for one piece just now. Thread-safe.
    private final class Asked {
        private static final int NOBODY = Integer.MAX_VALUE;

        final PieceAddress address;
        final long deadline;
        private final Set<Worker> busy = ConcurrentHashMap.newKeySet();
        private final AtomicInteger turns = new AtomicInteger();
        private final AtomicInteger winner = new AtomicInteger(NOBODY);

        Asked(PieceAddress address, long deadline) {
            this.address = address;
            this.deadline = deadline;
        }

        /// A worker that is not asked already, if there is one.
        Optional<Worker> next() {
            @Nullable Worker worker = workers.take(busy);
            if (worker != null) {
                busy.add(worker);
            }
            return Optional.ofNullable(worker);
        }

        /// The number of those who are asked next.
        int turn() {
            return turns.incrementAndGet();
        }

        void ended(Worker worker) {
            busy.remove(worker);
        }

        void answered(int turn) {
            winner.compareAndSet(NOBODY, turn);
        }

        /// Whether somebody who was asked later than those of `turn` had the answer first.
        boolean outran(int turn) {
            return winner.get() != NOBODY && winner.get() > turn;
        }
    }

    /// Asks one worker after another that the first one is not, until one has the piece: whoever fails is replaced
    /// at once, and whoever is slow by the next call of this.
    private Got askOthers(Asked asked, Cancellation cancellation) throws IOException {
        int turn = asked.turn();
        while (!cancellation.isCancelled() && System.nanoTime() - asked.deadline < 0) {
            Optional<Worker> next = asked.next();
            if (next.isPresent()) {
                try {
                    return ask(next.get(), turn, asked, cancellation);
                } catch (RefusedException | InterruptedIOException end) {
                    throw end;
                } catch (IOException unanswered) {
                    if (!cancellation.isCancelled()) {
                        retries.increment();
                    }
                }
            } else {
                awaitOthers(asked, cancellation);
            }
        }
        throw new IOException("no other worker gave it");
    }

    private void awaitOthers(Asked asked, Cancellation cancellation) throws IOException {
        cancellation.use(workers::wake);
        try {
            workers.await(asked.deadline, asked.busy, cancellation::isCancelled);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("waiting for a worker was interrupted");
        } finally {
            cancellation.done();
        }
    }

    private Got ask(Worker worker, int turn, Asked asked, Cancellation cancellation) throws IOException {
        try {
            Got got = askOnce(worker, turn, asked, cancellation);
            asked.answered(turn);
            return got;
        } finally {
            asked.ended(worker);
        }
    }

    private Got askOnce(Worker worker, int turn, Asked asked, Cancellation cancellation) throws IOException {
        PieceAddress address = asked.address;
        Exchanges exchanges = DirectExchanges.canAsk(worker.address) ? direct : byClient;
        Exchanges.Sent sent = exchanges.send(
                worker.address,
                address.path(),
                PieceFile.mostBytes(address.places().count(), served.rowBytes()));
        cancellation.use(() -> sent.end().run());
        Answer answer;
        try {
            answer = sent.take(options.attempt().toNanos());
        } catch (InterruptedException interrupt) {
            workers.gaveUp(worker);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("reading a piece was interrupted");
        } catch (CancellationException outrun) {
            sent.end().run();
            if (asked.outran(turn)) {
                throw failed(worker, "was slower than another worker", Duration.ZERO);
            }
            workers.gaveUp(worker);
            throw new IOException("another worker was faster", outrun);
        } catch (TimeoutException slow) {
            throw failed(worker, "took longer than " + options.attempt().toMillis() + " ms", Duration.ZERO);
        } catch (ExecutionException failure) {
            sent.end().run();
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            throw failed(
                    worker,
                    TlsTrouble.of(cause, worker.address, options).orElseGet(() -> String.valueOf(cause)),
                    Duration.ZERO);
        } finally {
            cancellation.done();
        }
        return new Got(checked(worker, address, answer));
    }

    /// The piece of `answer`, if it is the one that was asked for.
    private ImagePiece checked(Worker worker, PieceAddress address, Answer answer) throws IOException {
        Lease lease = answer.body();
        if (answer.status() != 200) {
            String text;
            try (lease) {
                text = new String(lease.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            }
            throw refused(worker, answer.status(), text);
        }
        try {
            if (!answer.announced().equals(answer.found())) {
                throw FormatException.because("its checksum is " + answer.found() + " and not " + answer.announced());
            }
            ImagePiece piece = PieceFile.read(lease, address, served.rowBytes());
            workers.answered(worker);
            return piece;
        } catch (FormatException wrong) {
            lease.close();
            throw failed(worker, "sent what is not the piece: " + wrong.getMessage(), options.rest());
        } catch (Throwable failure) {
            lease.close();
            workers.gaveUp(worker);
            throw failure;
        }
    }

    private IOException refused(Worker worker, int status, String text) {
        return switch (status) {
            case 409 -> failed(worker, "serves something else: " + difference(text), options.rest());
            case 422 -> {
                workers.gaveUp(worker);
                yield new RefusedException(error(text));
            }
            case 503 -> failed(worker, error(text), Duration.ZERO);
            default -> failed(worker, "answered " + status + " " + error(text), options.rest());
        };
    }

    private String difference(String text) {
        try {
            Description other = Description.parse(text);
            return description.unlike(other) + " (it serves " + other.fingerprint() + ", and this loader reads "
                    + served.fingerprint() + ")";
        } catch (IllegalArgumentException | ArithmeticException malformed) {
            return "what it is can't be read: " + malformed.getMessage();
        }
    }

    static String error(String text) {
        try {
            return Json.parse(text) instanceof Map<?, ?> json && json.get("error") instanceof String error ? error : "";
        } catch (JsonException other) {
            return "";
        }
    }

    private IOException failed(Worker worker, String trouble, Duration rest) {
        workers.failed(worker, trouble, rest.toNanos());
        return new IOException(worker.address + ": " + trouble);
    }

    private static void end(HttpClient client, ExecutorService threads) {
        client.shutdownNow();
        client.close();
        threads.shutdownNow();
        threads.close();
    }

    /// Ends what is under way.
    @Override
    public void close() {
        hedge.close();
        end(client, threads);
        direct.close();
        byClient.close();
        pool.close();
    }
}
