package org.jspdl.data.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException.Kind;

/// The status and the headers of a response.
///
/// @param headers by their names in lower case; of a repeated one, the last, or all of them where each adds to the
///     others
record ResponseHead(int status, Map<String, String> headers, boolean keepsConnection) {
    /// Headers that say where a body ends: two of them could be read in two ways.
    private static final Set<String> ONCE = Set.of("content-length", "transfer-encoding", "content-range");

    /// Headers that tell one version of an object from another, or where it is: two values of them contradict each
    /// other.
    private static final Set<String> ONE_VALUE = Set.of("etag", "last-modified", "location");
    /// Lists, which may be spread over several lines.
    private static final Set<String> LISTS = Set.of("connection", "content-encoding", "link");
    private static final String DELIMITERS = "\"(),/:;<=>?@[\\]{}";

    /// @throws IOException if `bytes` are no head of HTTP/1.x, or one that can be read in two ways
    static ResponseHead parse(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("HTTP/1.") || text.length() < 12) {
            throw new IOException("the response is not HTTP/1.1");
        }
        boolean persistent = text.charAt(7) != '0';
        int status = status(text);
        Map<String, String> headers = new HashMap<>(24);
        for (int start = text.indexOf('\n') + 1; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                throw ambiguous("the response has a line among its headers that is none");
            }
            int until = end > start && text.charAt(end - 1) == '\r' ? end - 1 : end;
            if (until > start) { // the empty line is the last
                add(headers, text, start, until);
            }
            start = end + 1;
        }
        String coding = headers.get("transfer-encoding");
        if (coding != null && (!persistent || !coding.equalsIgnoreCase("chunked"))) {
            throw ambiguous("the response has the Transfer-Encoding '" + coding + "', and only 'chunked' is supported");
        }
        if (coding != null && headers.containsKey("content-length")) {
            throw ambiguous("the response has both a Content-Length and a Transfer-Encoding");
        }
        return new ResponseHead(status, headers, keeps(headers.getOrDefault("connection", ""), persistent));
    }

    private static int status(String text) throws IOException {
        for (int i = 9; i < 12; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                throw new IOException("the response has no status");
            }
        }
        return Integer.parseInt(text, 9, 12, 10);
    }

    /// Adds the header in one line.
    private static void add(Map<String, String> headers, String text, int start, int end) throws IOException {
        int colon = text.indexOf(':', start);
        if (colon <= start || colon >= end || !isName(text, start, colon)) {
            throw ambiguous("the response has a line among its headers that is none");
        }
        String name = text.substring(start, colon).toLowerCase(Locale.ROOT);
        String value = trimmed(text, colon + 1, end);
        for (int i = 0; i < value.length(); i++) {
            if ((value.charAt(i) < ' ' && value.charAt(i) != '\t') || value.charAt(i) == 127) {
                throw ambiguous("the response has a control character in its header " + name);
            }
        }
        String before = headers.put(name, value);
        if (before != null && ONCE.contains(name)) {
            throw ambiguous("the response has the header " + name + " twice");
        }
        if (before != null && ONE_VALUE.contains(name) && !before.equals(value)) {
            throw ambiguous("the response has the header " + name + " twice, with two values");
        }
        if (before != null && LISTS.contains(name)) {
            headers.put(name, before + ", " + value);
        }
    }

    private static String trimmed(String text, int start, int end) {
        int first = start;
        int last = end;
        while (first < last && (text.charAt(first) == ' ' || text.charAt(first) == '\t')) {
            first++;
        }
        while (last > first && (text.charAt(last - 1) == ' ' || text.charAt(last - 1) == '\t')) {
            last--;
        }
        return text.substring(first, last);
    }

    private static boolean isName(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 127 || DELIMITERS.indexOf(c) >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean keeps(String connection, boolean persistent) {
        boolean keeps = persistent;
        for (String option : connection.split(",")) {
            if (option.strip().equalsIgnoreCase("close")) {
                return false;
            }
            keeps |= option.strip().equalsIgnoreCase("keep-alive");
        }
        return keeps;
    }

    private static UnexpectedResponseException ambiguous(String what) {
        return UnexpectedResponseException.permanent(Kind.UNSUPPORTED, what + "; the connection was closed");
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    boolean isChunked() {
        return headers.containsKey("transfer-encoding");
    }

    /// How long the body is; empty if the head does not say.
    OptionalLong contentLength() throws IOException {
        String length = header("content-length");
        return headers.containsKey("content-length") ? OptionalLong.of(number(length)) : OptionalLong.empty();
    }

    /// First byte, last byte and size of the whole object (-1 if unknown), as `Content-Range` says. Where a server
    /// gives an empty range for one that lies behind the end, as Azurite does, the last byte is that of the object.
    ///
    /// @throws IOException if there is none, or an impossible one; of kind `RANGE` for that of an empty object
    long[] contentRange() throws IOException {
        String range = header("content-range");
        int dash = range.indexOf('-');
        int slash = range.indexOf('/');
        if (!range.startsWith("bytes ") || dash < 0 || slash < dash) {
            throw new IOException("the response does not say which range it is");
        }
        String size = range.substring(slash + 1);
        if (range.equals("bytes 0--1/0")) {
            throw UnexpectedResponseException.permanent(Kind.RANGE, "the object is empty");
        }
        long first = number(range.substring(6, dash));
        long last = number(range.substring(dash + 1, slash));
        long whole = size.equals("*") ? -1 : number(size);
        boolean isBehind = whole >= 0 && first >= whole && last == whole - 1;
        if ((last < first && !isBehind) || (whole >= 0 && last >= whole)) {
            throw new IOException("the response has the impossible range '" + range + "'");
        }
        return new long[] {first, last, whole};
    }

    /// What tells one version of the object from another: the entity tag, else the time of its last change.
    String version() {
        String tag = header("etag");
        return tag.isEmpty() ? header("last-modified") : tag;
    }

    /// Makes sure that the body is what the object holds. A server may compress on the way what was stored plain,
    /// or may have been told that what is stored is compressed: then its bytes are not those of the object, unless
    /// that is called so.
    ///
    /// @throws UnexpectedResponseException if it is compressed in one of the usual ways, and `object` does not end
    ///     so
    void requirePlain(Location object) throws UnexpectedResponseException {
        for (String given : header("content-encoding").split(",")) {
            String coding = given.strip().toLowerCase(Locale.ROOT);
            boolean plain = switch (coding) {
                case "gzip", "x-gzip" -> object.endsWith(".gz", ".tgz", ".gzip");
                case "zstd" -> object.endsWith(".zst", ".zstd");
                case "br", "deflate", "compress", "x-compress" -> false;
                default -> true; // such as identity, and what people write there that is no coding
            };
            if (!plain) {
                throw UnexpectedResponseException.permanent(
                        Kind.UNSUPPORTED,
                        "the server sends it compressed, with the Content-Encoding '" + coding
                                + "', though it was asked not to; store it without that, or let its name say it");
            }
        }
    }

    /// Digits alone: a sign, or a second number behind a comma, is none.
    private static long number(String text) throws IOException {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = 0; i < text.length(); i++) {
            digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!digits) {
            throw ambiguous("the response has '" + text + "' where a number belongs");
        }
        return Long.parseLong(text);
    }
}
