package org.jspdl.data.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// What a request needs of an address.
///
/// @param host   who is asked
/// @param target escaped path, with the query if there is one
public record HttpAddress(Host host, String target) {
    private static final String LEFT_AS_IT_IS = "/?%:@!$&'()*+,;=-._~";

    /// A server.
    ///
    /// @param tls whether the connection is encrypted
    public record Host(boolean tls, String name, int port) {
        /// What the `Host` header says.
        public String header() {
            return port == (tls ? 443 : 80) ? name : name + ":" + port;
        }

        @Override
        public String toString() {
            return (tls ? "https://" : "http://") + header();
        }
    }

    /// The address in `location`, a URL whose escapes are kept; what may not stand in a URL is escaped.
    ///
    /// @throws StorageException if there is no host
    public static HttpAddress parse(Location location) throws StorageException {
        boolean tls = location.scheme().equals("https");
        String rest = location.afterScheme();
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String target = slash < 0 ? "/" : rest.substring(slash);
        int fragment = target.indexOf('#');
        try {
            URI uri = new URI("x://" + authority).parseServerAuthority();
            if (uri.getHost() == null || uri.getUserInfo() != null) {
                throw new URISyntaxException(authority, "not a host");
            }
            int port = uri.getPort() > 0 ? uri.getPort() : tls ? 443 : 80;
            Host host = new Host(tls, uri.getHost(), port);
            return new HttpAddress(host, escape(fragment < 0 ? target : target.substring(0, fragment), LEFT_AS_IT_IS));
        } catch (URISyntaxException failure) {
            throw new StorageException(
                    Kind.UNSUPPORTED, location, "no address: after :// comes a host, without a user's name");
        }
    }

    /// Where the `Location` header of a redirection leads: an address, or one that is relative to this.
    HttpAddress redirected(String to) throws StorageException {
        Location there = Location.of(to.startsWith("//") ? (host.tls() ? "https:" : "http:") + to : to);
        if (!there.isRemote() && !to.contains("://")) {
            return new HttpAddress(host, escape(relative(to), LEFT_AS_IT_IS));
        }
        if (!there.scheme().equals("http") && !there.scheme().equals("https")) {
            throw new StorageException(Kind.UNSUPPORTED, there, host + " redirected here, which is no web address");
        }
        HttpAddress address = parse(there);
        if (host.tls() && !address.host().tls()) {
            throw new StorageException(
                    Kind.UNSUPPORTED, Location.of(to), host + " redirected here, which is not encrypted");
        }
        return address;
    }

    /// The target that `to` leads to from this one, without a fragment.
    private String relative(String to) {
        int fragment = to.indexOf('#');
        String bare = fragment < 0 ? to : to.substring(0, fragment);
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        if (bare.startsWith("/")) {
            return bare;
        }
        return bare.isEmpty() || bare.startsWith("?")
                ? path + bare
                : path.substring(0, path.lastIndexOf('/') + 1) + bare;
    }

    /// `text` with every character escaped that is no letter, digit, or in `allowed`.
    public static String escape(String text, String allowed) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (unit & 0xFF);
            if (isPlain(c) || allowed.indexOf(c) >= 0) {
                escaped.append(c);
            } else {
                escaped.append('%')
                        .append(Character.toUpperCase(Character.forDigit(c >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
