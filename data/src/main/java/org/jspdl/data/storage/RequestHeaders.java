package org.jspdl.data.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspdl.files.InputFile;

/// Headers that some web servers are sent and no other, such as those that say who asks. Immutable.
///
/// A server is an origin, `https://host` or `https://host:8443`, or a host alone: that is any port of it, but only
/// under TLS, or on this machine. Where a server redirects to, only what is for that server is sent. What is printed
/// holds no value.
public final class RequestHeaders {
    private static final RequestHeaders NONE = new RequestHeaders(Map.of());
    private static final int MOST_BYTES = 1 << 20;
    private static final String NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}";
    private static final Set<String> OURS = Set.of(
            "accept-encoding",
            "connection",
            "content-length",
            "expect",
            "host",
            "if-match",
            "keep-alive",
            "proxy-authorization",
            "range",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /// By server, in lower case, and by name, in any case.
    private final Map<String, Map<String, String>> byServer;

    private RequestHeaders(Map<String, Map<String, String>> byServer) {
        this.byServer = byServer;
    }

    /// No headers.
    public static RequestHeaders none() {
        return NONE;
    }

    /// These headers, and one more for `server`, which replaces one of the same name.
    ///
    /// @throws IllegalArgumentException if there is no such server or header; the message does not hold the value
    public RequestHeaders with(String server, String name, String value) {
        if (!name.matches(NAME) || OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("'" + Printable.of(name) + "' is no header that can be given");
        }
        if (value.isBlank() || !value.chars().allMatch(c -> c >= ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "the value of '" + name + "' must be of printable ASCII characters, and not empty");
        }
        Map<String, Map<String, String>> more = new TreeMap<>(byServer);
        Map<String, String> own = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String canonical = server(server);
        own.putAll(more.getOrDefault(canonical, Map.of()));
        own.put(name, value.strip());
        more.put(canonical, own);
        return new RequestHeaders(more);
    }

    /// These headers, and a bearer token for `server`.
    public RequestHeaders bearer(String server, String token) {
        return with(server, "Authorization", "Bearer " + token);
    }

    /// These headers, and a name and a password for `server`, by basic authentication.
    public RequestHeaders basic(String server, String user, String password) {
        if (user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("a user's name must not have a colon");
        }
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return with(server, "Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }

    /// These headers, and those in `file`: a server, a name with a colon, and the value on each line. Empty lines,
    /// and those that begin with `#`, say nothing.
    ///
    /// @throws IOException if it cannot be read; the message says which line, and not what it holds
    public RequestHeaders fromFile(Path file) throws IOException {
        RequestHeaders read = this;
        int number = 0;
        for (String line : (Iterable<String>) text(file).lines()::iterator) {
            number++;
            String stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            String[] words = stripped.split("\\s+", 3);
            if (words.length < 3 || !words[1].endsWith(":")) {
                throw new IOException(file + " must have a server, a header's name with a colon, and its value in line "
                        + number + ", as in 'https://host Authorization: Bearer TOKEN'");
            }
            try {
                read = read.with(words[0], words[1].substring(0, words[1].length() - 1), words[2]);
            } catch (IllegalArgumentException wrong) {
                throw new IOException(file + ", line " + number + ": " + wrong.getMessage(), wrong);
            }
        }
        return read;
    }

    /// These headers, and the names and passwords of a `.netrc` file: `machine HOST login NAME password WORD`. What
    /// it has for all other hosts (`default`) is sent to none.
    ///
    /// @throws IOException if it cannot be read
    public RequestHeaders fromNetrc(Path file) throws IOException {
        RequestHeaders read = this;
        for (Netrc.Login login : Netrc.parse(text(file))) {
            try {
                read = read.basic(login.machine(), login.user(), login.password());
            } catch (IllegalArgumentException wrong) {
                throw new IOException(file + ", machine " + login.machine() + ": " + wrong.getMessage(), wrong);
            }
        }
        return read;
    }

    private static String text(Path file) throws IOException {
        try (InputStream opened = InputFile.stream(file)) {
            byte[] bytes = opened.readNBytes(MOST_BYTES + 1);
            if (bytes.length <= MOST_BYTES) {
                return new String(bytes, StandardCharsets.UTF_8);
            }
        } catch (IOException unreadable) {
            throw new IOException(file + ": " + FailureReasons.of(unreadable), unreadable);
        }
        throw new IOException(file + " has more than " + MOST_BYTES + " bytes");
    }

    private static String server(String given) {
        String server = given.toLowerCase(Locale.ROOT);
        boolean origin = server.contains("://");
        try {
            URI uri = new URI(origin ? server : "https://" + server).parseServerAuthority();
            boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            boolean alone = uri.getUserInfo() == null
                    && (uri.getPath() == null
                            || uri.getPath().isEmpty()
                            || uri.getPath().equals("/"))
                    && uri.getQuery() == null
                    && uri.getFragment() == null;
            if (web && alone && uri.getHost() != null && (origin || uri.getPort() < 0)) {
                int usual = uri.getScheme().equals("https") ? 443 : 80;
                String port = uri.getPort() < 0 || uri.getPort() == usual ? "" : ":" + uri.getPort();
                return origin ? uri.getScheme() + "://" + uri.getHost() + port : uri.getHost();
            }
        } catch (URISyntaxException noHost) {
            // said below
        }
        throw new IllegalArgumentException(
                "a server must be a host, or https:// and a host, and a port if it has one of its own; nothing behind it");
    }

    /// What the server at a host and port is sent.
    ///
    /// @param port which is 443 with TLS, and 80 without, unless the address says another
    public Map<String, String> of(boolean tls, String host, int port) {
        if (byServer.isEmpty()) {
            return Map.of();
        }
        String name = host.toLowerCase(Locale.ROOT);
        String origin = (tls ? "https://" : "http://") + name + (port == (tls ? 443 : 80) ? "" : ":" + port);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (tls || THIS_MACHINE.contains(name)) {
            headers.putAll(byServer.getOrDefault(name, Map.of()));
        }
        headers.putAll(byServer.getOrDefault(origin, Map.of()));
        return headers;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RequestHeaders headers && byServer.equals(headers.byServer);
    }

    @Override
    public int hashCode() {
        return byServer.hashCode();
    }

    /// For whom there are headers.
    @Override
    public String toString() {
        return byServer.isEmpty() ? "no headers" : "headers for " + String.join(", ", byServer.keySet());
    }
}
