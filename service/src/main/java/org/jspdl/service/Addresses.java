package org.jspdl.service;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Where workers are, as texts such as `http://decoder-3:8080` say, or `dns:///decoders:8080` for a name with an
/// address for each worker, which is looked up again from time to time. Thread-safe.
final class Addresses {
    private static final Duration USUAL = Duration.ofSeconds(5);
    private static final String DNS = "dns";

    private final List<URI> fixed = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final Lookup lookup;
    private final long every;
    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private volatile String trouble = "";

    /// Finds the addresses of a name.
    @FunctionalInterface
    interface Lookup {
        List<InetAddress> of(String host) throws IOException;
    }

    private record Name(String host, int port) {}

    /// @throws IllegalArgumentException if a text is no address
    Addresses(List<String> texts, Lookup lookup, Duration every) {
        this.lookup = lookup;
        this.every = every.toNanos();
        for (String text : texts) {
            if (text.startsWith(DNS + ":")) {
                names.add(name(text));
            } else {
                fixed.add(Worker.address(text));
            }
        }
    }

    /// Addresses that this machine looks up.
    static Addresses of(List<String> texts) {
        return new Addresses(texts, host -> List.of(InetAddress.getAllByName(host)), USUAL);
    }

    private static Name name(String text) {
        try {
            URI address = new URI(text.replaceFirst("^dns:/+", "dns://"));
            boolean isBare = address.getRawUserInfo() == null
                    && address.getRawQuery() == null
                    && address.getRawFragment() == null
                    && (address.getRawPath() == null || address.getRawPath().isEmpty());
            if (isBare && address.getHost() != null && address.getPort() > 0) {
                return new Name(address.getHost(), address.getPort());
            }
        } catch (URISyntaxException malformed) {
            // refused below
        }
        throw new IllegalArgumentException("a name is as dns:///decoders:8080 but was '" + text + "'");
    }

    /// Whether names are to be looked up again; the caller does, and nobody else for a while.
    boolean areDue() {
        long due = next.get();
        long now = System.nanoTime();
        return !names.isEmpty() && now - due >= 0 && next.compareAndSet(due, now + every);
    }

    /// All workers as of now, or nothing new: empty if a name could not be looked up, which [#trouble] tells.
    List<URI> find() {
        Set<URI> all = new LinkedHashSet<>(fixed);
        for (Name name : names) {
            try {
                for (InetAddress each : lookup.of(name.host)) {
                    String host =
                            each instanceof Inet6Address ? "[" + each.getHostAddress() + "]" : each.getHostAddress();
                    all.add(URI.create("http://" + host.replaceFirst("%.*]", "]") + ":" + name.port));
                }
            } catch (IOException unknown) {
                trouble = name.host + ": could not be looked up: " + unknown.getMessage();
                return List.of();
            }
        }
        trouble = "";
        return List.copyOf(all);
    }

    /// Why names could not be looked up; empty if they could.
    String trouble() {
        return trouble;
    }
}
