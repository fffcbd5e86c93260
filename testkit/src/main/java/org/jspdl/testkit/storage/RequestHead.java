package org.jspdl.testkit.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The first line and the headers of a request.
///
/// @param path    decoded, with the slash at its beginning
/// @param query   decoded
/// @param headers by their names in lower case
record RequestHead(String method, String path, Map<String, String> query, Map<String, String> headers) {

    /// The next request of a connection; empty when the client has no more.
    static Optional<RequestHead> read(BufferedInputStream in) throws IOException {
        String first = line(in);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        String[] words = first.split(" ");
        if (words.length != 3) {
            throw new IOException("not a request: " + first);
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        String[] target = words[1].split("\\?", 2);
        return Optional.of(new RequestHead(
                words[0], decode(target[0]), target.length == 1 ? Map.of() : parse(target[1]), headers));
    }

    private static String line(BufferedInputStream in) throws IOException {
        StringBuilder line = new StringBuilder(80);
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static Map<String, String> parse(String query) {
        Map<String, String> values = new HashMap<>();
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            values.put(
                    decode(equals < 0 ? pair : pair.substring(0, equals)),
                    equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return values;
    }

    private static String decode(String text) {
        return text.indexOf('%') < 0 ? text : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /// First and last byte of a range such as `bytes=5-9` within `size` bytes; empty for the whole.
    Optional<long[]> range(long size) {
        String text = header("range");
        if (!text.startsWith("bytes=")) {
            return Optional.empty();
        }
        String[] ends = text.substring("bytes=".length()).split("-", 2);
        long first = Long.parseLong(ends[0]);
        long last = ends[1].isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(ends[1]));
        return Optional.of(new long[] {first, last});
    }
}
