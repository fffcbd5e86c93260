package org.jspdl.data.cache;

import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspdl.data.cache.order.KeyHash;
import org.jspdl.data.storage.Location;

/// The caches of other machines, which a [CachedStorage] asks for what its own has not, before it asks the store. Each
/// runs a [CacheServer].
///
/// A piece is asked for by the object's location, its version and the range; what comes counts if it is that piece, has
/// its length and the checksum that was made when it was read from the store. Everything else is thrown away, and its
/// sender left alone for a minute. A peer that does not answer in time costs [CachePeersOptions#patience] once, and is
/// left alone for 1 s, longer each time, up to a minute.
///
/// At most 8 peers are asked for a piece, one after the other: first who had something of the object, then in an order
/// that all machines have in common for the object. Thread-safe.
public final class CachePeers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CachePeers.class.getName());
    private static final int MOST_ASKED = 8;
    /// Objects of which is known who had something.
    private static final int MOST_KNOWN = 65_536;

    private final CachePeersOptions options;
    private final PeerAddresses addresses;
    private final ExecutorService threads;
    private final HttpClient client;
    private final Map<Long, URI> owners = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, URI> eldest) {
            return size() > MOST_KNOWN;
        }
    };
    private final LongAdder requests = new LongAdder();
    private final LongAdder hits = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();

    CachePeers(CachePeersOptions options, PeerAddresses addresses) {
        this.options = options;
        this.addresses = addresses;
        this.threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("jspdl-cache-peers-", 0).factory());
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(options.patience())
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(threads)
                .build();
    }

    /// Asks these peers; the caller closes it.
    ///
    /// @throws IllegalArgumentException if one is no address
    public static CachePeers open(CachePeersOptions options) {
        return open(options, 0);
    }

    /// The same on a machine that serves its own cache at `ownPort`, and may be among those of a name.
    public static CachePeers open(CachePeersOptions options, int ownPort) {
        return new CachePeers(
                options,
                new PeerAddresses(
                        options.peers(),
                        ownPort,
                        host -> List.of(InetAddress.getAllByName(host)),
                        task -> Thread.ofPlatform()
                                .daemon()
                                .name("jspdl-lookup")
                                .start(task),
                        System::nanoTime));
    }

    /// Whether there is somebody to ask now: only then is a version worth a request.
    boolean hasAny() {
        long now = System.nanoTime();
        return addresses.now().stream().anyMatch(peer -> peer.isAwake(now));
    }

    /// Fills `target` with the piece under `key`, if a peer has it; else what is in `target` is undefined.
    ///
    /// @param version of the object, as the store says now; not empty
    boolean fill(String key, String version, MemorySegment target) throws InterruptedIOException {
        if (target.byteSize() == 0) {
            return false;
        }
        PieceName name = PieceName.of(key, version);
        long object = KeyHash.object(key);
        long end = System.nanoTime() + options.patience().toNanos();
        int asked = 0;
        for (Peer peer : ordered(object)) {
            long now = System.nanoTime();
            if (asked == MOST_ASKED || now - end >= 0) {
                return false;
            }
            if (peer.take(now)) {
                asked++;
                if (ask(peer, name, version, target)) {
                    synchronized (owners) {
                        owners.put(object, peer.address());
                    }
                    return true;
                }
            }
        }
        return false;
    }

    private List<Peer> ordered(long object) {
        URI owner;
        synchronized (owners) {
            owner = owners.get(object);
        }
        List<Peer> all = new ArrayList<>(addresses.now());
        all.sort(Comparator.comparing((Peer peer) -> !peer.address().equals(owner))
                .thenComparingLong(peer -> mixed(object ^ (peer.address().hashCode() * 0x9E3779B97F4A7C15L))));
        return all;
    }

    private static long mixed(long bits) {
        long mixed = (bits ^ (bits >>> 32)) * 0xD6E8FEB86659FD93L;
        return mixed ^ (mixed >>> 32);
    }

    private boolean ask(Peer peer, PieceName name, String version, MemorySegment target) throws InterruptedIOException {
        requests.increment();
        PieceAnswer answer = new PieceAnswer(name, target);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(peer.address().resolve(name.path())).timeout(allowed(target));
        options.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        CompletableFuture<HttpResponse<PieceAnswer.Outcome>> response = client.sendAsync(request.build(), answer);
        boolean told = false;
        try {
            CompletableFuture.anyOf(answer.begun(), response)
                    .get(options.patience().toNanos(), TimeUnit.NANOSECONDS);
            PieceAnswer.Outcome outcome = response.get(allowed(target).toNanos(), TimeUnit.NANOSECONDS)
                    .body();
            told = true;
            return isGood(peer, outcome, version.getBytes(StandardCharsets.UTF_8), target);
        } catch (TimeoutException | ExecutionException none) {
            failed.increment();
            told = true;
            peer.failed(System.nanoTime());
            LOG.log(System.Logger.Level.DEBUG, "the cache of {0} did not answer: {1}", peer.address(), none);
            return false;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("asking the caches of other machines was interrupted");
        } finally {
            answer.abandon();
            response.cancel(true);
            if (!told) {
                peer.gaveUp();
            }
        }
    }

    private Duration allowed(MemorySegment target) {
        double seconds = (double) target.byteSize() / options.slowest();
        return options.patience().plusNanos((long) Math.min(seconds * 1e9, 1e15));
    }

    private boolean isGood(Peer peer, PieceAnswer.Outcome outcome, byte[] version, MemorySegment target) {
        String wrong = outcome.wrong();
        if (outcome.status() == CacheServer.OK) {
            if (wrong.isEmpty() && outcome.checksum().equals(CacheServer.checksum(Entry.checksum(version, target)))) {
                hits.increment();
                bytes.add(target.byteSize());
                peer.answered();
                return true;
            }
            refused.increment();
            return isLiar(peer, wrong.isEmpty() ? "it has another checksum" : wrong);
        }
        if (outcome.status() == CacheServer.MISSING || outcome.status() == CacheServer.BUSY) {
            peer.answered();
            return false;
        }
        refused.increment();
        return isLiar(
                peer,
                outcome.status() == 401
                        ? "it wants a token, or another; set " + CacheServerOptions.TOKEN_VARIABLE + " on both machines"
                        : "it answers with status " + outcome.status());
    }

    private boolean isLiar(Peer peer, String what) {
        if (peer.lied(System.nanoTime())) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the cache of {0} gives no good answer ({1}); the store is asked instead",
                    Location.of(peer.address().toString()),
                    what);
        }
        return false;
    }

    /// What was asked and given so far.
    public PeerStats stats() {
        return new PeerStats(requests.sum(), hits.sum(), bytes.sum(), refused.sum(), failed.sum());
    }

    /// Whom it asks, as far as that is known now.
    CacheSetup.Peers setup() {
        return new CacheSetup.Peers(
                options.peers(),
                addresses.now().size(),
                options.patience(),
                options.token().isPresent());
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
        threads.shutdownNow();
        threads.close();
    }
}
