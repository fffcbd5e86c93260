package org.jspdl.data.cache;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Where peers are: addresses such as `http://trainer-3:7070`, and names with an address for each machine, such as
/// `dns:///trainers:7070`. Names are looked up again from time to time, never by who asks: until they are found for the
/// first time there are no such peers, and a lookup that fails changes nothing. Thread-safe.
final class PeerAddresses {
    private static final System.Logger LOG = System.getLogger(PeerAddresses.class.getName());
    private static final long EVERY = Duration.ofSeconds(5).toNanos();
    /// No name has more addresses.
    private static final int MOST = 1_024;

    private final List<URI> fixed = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final Lookup lookup;
    private final Executor elsewhere;
    private final LongSupplier nanos;
    private final AtomicLong due;
    private final int ownPort;
    private volatile List<Peer> peers = List.of();
    /// That a name was never found is said once; whoever starts first finds no others.
    private boolean told;

    /// Finds the addresses of a name.
    @FunctionalInterface
    interface Lookup {
        List<InetAddress> of(String host) throws IOException;
    }

    private record Name(String host, int port) {}

    /// @param ownPort   at which this machine serves its own cache, which is not asked; 0 if it does not
    /// @param elsewhere runs lookups, as slow as they are
    /// @throws IllegalArgumentException if a text is no address
    PeerAddresses(List<String> texts, int ownPort, Lookup lookup, Executor elsewhere, LongSupplier nanos) {
        this.ownPort = ownPort;
        this.lookup = lookup;
        this.elsewhere = elsewhere;
        this.nanos = nanos;
        this.due = new AtomicLong(nanos.getAsLong());
        for (String text : texts) {
            read(text);
        }
        peers = fixed.stream().distinct().map(Peer::new).toList();
    }

    private void read(String text) {
        boolean isName = text.startsWith("dns:");
        try {
            URI address = new URI(isName ? text.replaceFirst("^dns:/+", "dns://") : text);
            String path = address.getRawPath();
            boolean isBare = address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null
                    && (path == null || path.isEmpty() || path.equals("/"));
            boolean isWeb = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (isBare && address.getHost() != null && (isWeb || (isName && address.getPort() > 0))) {
                if (isName) {
                    names.add(new Name(address.getHost(), address.getPort()));
                } else {
                    fixed.add(URI.create(address.getScheme() + "://" + address.getRawAuthority()));
                }
                return;
            }
        } catch (URISyntaxException malformed) {
            // refused below
        }
        throw new IllegalArgumentException("a peer is as http://trainer-3:7070, without a path, or, for a name with an"
                + " address for each machine, as dns:///trainers:7070, but was '" + text + "'");
    }

    /// All peers as far as they are known now; begins to look names up again if it is time to.
    List<Peer> now() {
        long time = nanos.getAsLong();
        long last = due.get();
        if (!names.isEmpty() && time - last >= 0 && due.compareAndSet(last, time + EVERY)) {
            elsewhere.execute(this::update);
        }
        return peers;
    }

    private synchronized void update() {
        Map<URI, Peer> known = new LinkedHashMap<>();
        peers.forEach(peer -> known.put(peer.address(), peer));
        Map<URI, Peer> found = new LinkedHashMap<>();
        fixed.forEach(address -> found.put(address, known.getOrDefault(address, new Peer(address))));
        try {
            for (Name name : names) {
                for (InetAddress each :
                        lookup.of(name.host).stream().limit(MOST).toList()) {
                    if (!isOwn(each, name.port)) {
                        URI address = URI.create("http://" + host(each) + ":" + name.port);
                        found.put(address, known.getOrDefault(address, new Peer(address)));
                    }
                }
            }
            peers = List.copyOf(found.values());
            told = true;
        } catch (IOException | RuntimeException unknown) {
            if (!told) { // those that are known stay
                told = true;
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the caches of other machines are not found, so the store is asked: {0}; the names are looked up"
                                + " again every 5 s",
                        unknown.toString());
            }
        }
    }

    private boolean isOwn(InetAddress address, int port) throws IOException {
        return port == ownPort && NetworkInterface.getByInetAddress(address) != null;
    }

    private static String host(InetAddress address) {
        String text = address.getHostAddress();
        return address instanceof Inet6Address ? "[" + text.replaceFirst("%.*", "") + "]" : text;
    }
}
