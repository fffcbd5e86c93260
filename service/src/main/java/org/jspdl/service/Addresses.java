package org.jspdl.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// Where workers are, as texts such as `http://decoder-3:8080` say, or `dns:///decoders:8080` for a name with an
/// address for each worker, or `file:///shared/workers` for a folder with a file for each, in which its address is.
/// Names and folders are looked up again from time to time. Thread-safe.
final class Addresses {
    private static final Duration USUAL = Duration.ofSeconds(5);
    private static final String DNS = "dns";
    private static final String FILE = "file";
    /// No address is longer.
    private static final int LONGEST = 1_024;
    /// No folder has more workers.
    private static final int MOST_FILES = 65_536;

    private final List<URI> fixed = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
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
            } else if (text.startsWith(FILE + ":")) {
                folders.add(folder(text));
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

    private static Path folder(String text) {
        try {
            return Path.of(new URI(text));
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException malformed) {
            throw new IllegalArgumentException(
                    "a folder of addresses is as file:///shared/workers but was '" + text + "'", malformed);
        }
    }

    /// Whether names are to be looked up again; the caller does, and nobody else for a while.
    boolean areDue() {
        long due = next.get();
        long now = System.nanoTime();
        return !(names.isEmpty() && folders.isEmpty()) && now - due >= 0 && next.compareAndSet(due, now + every);
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
        for (Path folder : folders) {
            try {
                all.addAll(in(folder));
            } catch (IOException unknown) {
                trouble = folder + ": could not be listed: " + unknown;
                return List.of();
            }
        }
        trouble = "";
        return List.copyOf(all);
    }

    /// The addresses in a folder's files. One that has none yet, or not any more, is left out: workers come and go.
    private static List<URI> in(Path folder) throws IOException {
        List<URI> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    (Iterable<Path>) files.filter(Files::isRegularFile).sorted().limit(MOST_FILES)::iterator) {
                try (InputStream in = Files.newInputStream(file)) {
                    found.add(Worker.address(new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip()));
                } catch (IOException | IllegalArgumentException none) {
                    // is written just now, or its worker has left
                }
            }
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
        return found;
    }

    /// Why names could not be looked up; empty if they could.
    String trouble() {
        return trouble;
    }
}
