package org.jspdl.data.cache;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.files.LockedFile;
import org.jspdl.memory.Closeables;

/// A cache as people ask for it by names and texts, with the peers that it asks and the server by which it answers
/// them. The names are the same in plans and in Python.
///
/// | name | means |
/// | --- | --- |
/// | `folder` | where it is; `memory` for one in memory |
/// | `size` | what it may hold, such as `500GiB`, 1 MiB at least; 10 GiB in a folder, 1 GiB in memory, without it |
/// | `peers` | addresses as [CachePeersOptions] has them, with spaces or commas between |
/// | `patience` | how long a peer may take to begin its answer, such as `250ms`, which is the default |
/// | `serve` | the port at which other machines may read what is in the folder |
/// | `listen` | the address for that; all of this machine without it |
/// | `anybody` | `true` to let others read without a token |
///
/// The token, for asking and for answering, is in [CacheServerOptions#TOKEN_VARIABLE] of the environment. Of the
/// processes that share a folder, the first serves it.
///
/// Closing it closes all of them. Thread-safe.
public final class OpenedCache implements AutoCloseable {
    private static final String FOLDER = "folder";
    private static final String SIZE = "size";
    private static final String PEERS = "peers";
    private static final String PATIENCE = "patience";
    private static final String SERVE = "serve";
    private static final String LISTEN = "listen";
    private static final String ANYBODY = "anybody";
    private static final TreeSet<String> NAMES =
            new TreeSet<>(List.of(FOLDER, SIZE, PEERS, PATIENCE, SERVE, LISTEN, ANYBODY));
    private static final String MEMORY = "memory";
    private static final long LEAST_BYTES = 1 << 20;
    /// Nobody calls a folder so, who does not mean something else.
    private static final Set<String> NO_FOLDERS =
            Set.of("none", "off", "no", "false", "on", "yes", "true", "null", "disk", "ram", "mem");
    private static final Pattern TIME = Pattern.compile("(\\d{1,5}) ?(ms|s)");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12}) ?(?:([KMGT])i?B?)?", Pattern.CASE_INSENSITIVE);

    private final ByteCache cache;
    private final Optional<LockedFile> serving;
    private final Optional<CacheServer> server;
    private final Optional<CacheServerOptions> served;
    private final Optional<CachePeers> peers;

    private OpenedCache(
            ByteCache cache,
            Optional<LockedFile> serving,
            Optional<CacheServer> server,
            Optional<CacheServerOptions> served,
            Optional<CachePeers> peers) {
        this.cache = cache;
        this.serving = serving;
        this.server = server;
        this.served = served;
        this.peers = peers;
    }

    /// Refuses what is meant as something else than `memory` or the path of a folder, which would be made: `none`,
    /// `Memory`, `~/cache`.
    ///
    /// @param place as a person wrote it
    /// @throws IllegalArgumentException if it is so
    public static void requirePlace(String place) {
        String lower = place.strip().toLowerCase(Locale.ROOT);
        if (NO_FOLDERS.contains(lower)
                || (lower.equals(MEMORY) && !place.strip().equals(MEMORY))) {
            throw new IllegalArgumentException("cache: '" + place.strip() + "' is neither 'memory' nor the path of a"
                    + " folder; for no cache leave it out, and a folder of that name is ./" + place.strip());
        }
        if (lower.equals("~") || lower.startsWith("~/")) {
            throw new IllegalArgumentException(
                    "cache: '~' stands for no home folder here, write its path out, but was '" + place.strip() + "'");
        }
    }

    /// Refuses a cache in the folder of the dataset that it is for: it would be a part of the dataset, one more
    /// class.
    ///
    /// @param given   as [#open(Map, Path, Map)] takes it
    /// @param base    where a relative folder begins
    /// @param dataset what is read through the cache
    /// @throws IllegalArgumentException if it lies there
    public static void requireOutside(Map<String, String> given, Path base, Location dataset) throws IOException {
        Given values = new Given(given, Map.of());
        if (dataset.isRemote() || values.folder().equals(MEMORY) || !Files.isDirectory(dataset.path())) {
            return;
        }
        Path folder = reached(values.folder(base));
        if (folder.startsWith(reached(dataset.path()))) {
            throw new IllegalArgumentException("cache: the folder must be outside of the dataset, or what is kept would"
                    + " be read as part of it, but " + folder + " is within " + dataset);
        }
    }

    /// Where a path leads, links resolved as far as it is there.
    private static Path reached(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path there = absolute; there != null; there = there.getParent()) {
            try {
                return there.toRealPath().resolve(there.relativize(absolute)).normalize();
            } catch (IOException missing) {
                // what is above it may be there
            }
        }
        return absolute;
    }

    /// Opens what is `given`; the caller closes it.
    ///
    /// @param base        where a relative folder begins
    /// @param environment of the process, which has the token
    /// @throws IllegalArgumentException if a name or a value is none, which the message says
    /// @throws IOException              if the folder cannot be used, or the port
    public static OpenedCache open(Map<String, String> given, Path base, Map<String, String> environment)
            throws IOException {
        return open(given, base, environment, false);
    }

    /// The same in a folder on the way to which others may write, if `trusting`; see [DiskCache#openTrusting].
    public static OpenedCache open(
            Map<String, String> given, Path base, Map<String, String> environment, boolean trusting)
            throws IOException {
        Given values = new Given(given, environment);
        boolean inMemory = values.folder().equals(MEMORY);
        if (inMemory && values.has(SERVE)) {
            throw new IllegalArgumentException(
                    "cache: serve needs a folder: a cache in memory cannot be read by other machines");
        }
        Optional<CachePeersOptions> asked = values.peers();
        if (inMemory) {
            long size = values.size(1L << 30);
            Optional<CachePeers> peers = asked.map(CachePeers::open);
            return new OpenedCache(
                    MemoryCache.create(size), Optional.empty(), Optional.empty(), Optional.empty(), peers);
        }
        Optional<CacheServerOptions> served = values.server();
        Path folder = values.folder(base);
        long size = values.size(10L << 30);
        DiskCache cache = trusting ? DiskCache.openTrusting(folder, size) : DiskCache.open(folder, size);
        return over(cache, served, asked);
    }

    /// The same over a cache that is open, and is closed with what this returns, or now if this throws.
    ///
    /// @throws IOException if the port cannot be used
    public static OpenedCache over(
            DiskCache cache, Optional<CacheServerOptions> served, Optional<CachePeersOptions> asked)
            throws IOException {
        Optional<LockedFile> serving = Optional.empty();
        Optional<CacheServer> server = Optional.empty();
        try {
            if (served.isPresent()) {
                serving = cache.claimServing();
            }
            if (serving.isPresent()) {
                server = Optional.of(started(cache, served.orElseThrow()));
            }
            int own = server.map(CacheServer::port)
                    .orElse(served.map(CacheServerOptions::port).orElse(0));
            return new OpenedCache(cache, serving, server, served, asked.map(options -> CachePeers.open(options, own)));
        } catch (Throwable failure) {
            Closeables.closeItem(List.of(server, serving, cache));
            throw failure;
        }
    }

    private static CacheServer started(DiskCache cache, CacheServerOptions options) throws IOException {
        try {
            return CacheServer.start(cache, options);
        } catch (BindException taken) {
            throw new IOException(
                    "cache: nothing can listen at " + options.host() + ":" + options.port() + " (" + taken.getMessage()
                            + "); choose another port for serve",
                    taken);
        }
    }

    /// `storage` behind the cache and its peers; `storage` stays the caller's.
    public CachedStorage over(Storage storage) {
        return peers.isPresent() ? CachedStorage.of(storage, cache, peers.get()) : CachedStorage.of(storage, cache);
    }

    /// The cache, which is closed with this.
    public ByteCache cache() {
        return cache;
    }

    /// What lets other machines read it; empty if nothing does, or another process of this machine does.
    public Optional<CacheServer> server() {
        return server;
    }

    /// What it is like now, for whoever tells it before a run.
    public CacheSetup setup() {
        CacheStats now = cache.stats();
        return new CacheSetup(
                cache instanceof DiskCache disk ? Optional.of(disk.folder()) : Optional.empty(),
                now.bytes(),
                now.budgetBytes(),
                cache instanceof DiskCache disk ? disk.freeBytes() : OptionalLong.empty(),
                peers.map(CachePeers::setup),
                served.map(options -> new CacheSetup.Served(
                        options.host(),
                        server.map(CacheServer::port).orElse(options.port()),
                        options.token().isPresent(),
                        server.isPresent())));
    }

    @Override
    public void close() {
        Closeables.closeItem(List.of(peers, server, serving, cache));
    }

    /// What was said.
    private record Given(Map<String, String> values, Map<String, String> environment) {
        Given {
            for (String name : values.keySet()) {
                if (!NAMES.contains(name)) {
                    throw new IllegalArgumentException(
                            "cache has no setting '" + shown(name) + "', but " + String.join(", ", NAMES));
                }
            }
            if (values.containsKey(PATIENCE) && !values.containsKey(PEERS)) {
                throw new IllegalArgumentException("cache: patience needs peers, whom to ask");
            }
            for (String name : List.of(LISTEN, ANYBODY)) {
                if (values.containsKey(name) && !values.containsKey(SERVE)) {
                    throw new IllegalArgumentException("cache: " + name + " needs serve, the port to listen at");
                }
            }
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        private String value(String name) {
            return values.getOrDefault(name, "").strip();
        }

        String folder() {
            String folder = value(FOLDER);
            requirePlace(folder);
            if (folder.isEmpty() || Location.of(folder).isRemote()) {
                throw new IllegalArgumentException(
                        "cache: folder must be a local folder, or 'memory', but was '" + shown(folder) + "'");
            }
            return folder;
        }

        Path folder(Path base) {
            try {
                return base.resolve(folder());
            } catch (InvalidPathException invalid) {
                throw new IllegalArgumentException("cache: folder is not a path: " + invalid.getReason(), invalid);
            }
        }

        long size(long usual) {
            if (!has(SIZE)) {
                return usual;
            }
            Matcher matcher = BYTES.matcher(value(SIZE));
            if (matcher.matches()) {
                String unit = Optional.ofNullable(matcher.group(2)).orElse(" ").toUpperCase(Locale.ROOT);
                long number = Long.parseLong(matcher.group(1));
                int power = 10 * " KMGT".indexOf(unit);
                if (number > 0 && number <= Long.MAX_VALUE >> power) {
                    return sensible(number << power);
                }
            }
            throw new IllegalArgumentException(
                    "cache: size must be a number of bytes above 0, such as 500GiB, but was '" + shown(value(SIZE))
                            + "'");
        }

        private long sensible(long bytes) {
            if (bytes < LEAST_BYTES) {
                throw new IllegalArgumentException("cache: size must be at least 1MiB, or hardly a file fits, but was '"
                        + shown(value(SIZE)) + "', which are bytes");
            }
            return bytes;
        }

        Optional<CachePeersOptions> peers() {
            if (!has(PEERS)) {
                return Optional.empty();
            }
            List<String> all = Pattern.compile("[\\s,]+")
                    .splitAsStream(value(PEERS))
                    .filter(each -> !each.isEmpty())
                    .toList();
            CachePeersOptions usual = CachePeersOptions.of(all);
            CachePeersOptions options = has(PATIENCE) ? usual.patience(patience()) : usual;
            return Optional.of(token().map(options::token).orElse(options));
        }

        private Duration patience() {
            Matcher matcher = TIME.matcher(value(PATIENCE));
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "cache: patience must be a time such as 250ms or 1s but was '" + shown(value(PATIENCE)) + "'");
            }
            long number = Long.parseLong(matcher.group(1));
            return matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        }

        Optional<CacheServerOptions> server() {
            if (!has(SERVE)) {
                return Optional.empty();
            }
            if (!value(SERVE).matches("\\d{1,5}")) {
                throw new IllegalArgumentException(
                        "cache: serve must be a port such as 7070 but was '" + shown(value(SERVE)) + "'");
            }
            if (has(ANYBODY) && !value(ANYBODY).matches("true|false")) {
                throw new IllegalArgumentException(
                        "cache: anybody must be true or false but was '" + shown(value(ANYBODY)) + "'");
            }
            CacheServerOptions options =
                    CacheServerOptions.at(Integer.parseInt(value(SERVE))).host(has(LISTEN) ? value(LISTEN) : "0.0.0.0");
            CacheServerOptions asking = token().map(options::token).orElse(options);
            return Optional.of(value(ANYBODY).equals("true") ? asking.forAnybody() : asking);
        }

        private Optional<String> token() {
            return Optional.ofNullable(environment.get(CacheServerOptions.TOKEN_VARIABLE))
                    .map(String::strip)
                    .filter(token -> !token.isEmpty());
        }

        private static String shown(String text) {
            return Location.of(text).toString();
        }
    }
}
