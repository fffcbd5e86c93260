package org.jspdl.data.internal.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/// The status and the headers of an answer.
///
/// @param headers by their names in lower case; of a repeated one, the last
public record ResponseHead(int status, Map<String, String> headers, boolean keepsConnection) {

    /// @throws IOException if `bytes` are no head of HTTP/1.x
    static ResponseHead parse(byte[] bytes) throws IOException {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("HTTP/1.") || text.length() < 12) {
            throw new IOException("the answer is not HTTP/1.1");
        }
        int status;
        try {
            status = Integer.parseInt(text, 9, 12, 10);
        } catch (NumberFormatException _) {
            throw new IOException("the answer has no status");
        }
        Map<String, String> headers = new HashMap<>(24);
        for (int start = text.indexOf('\n') + 1; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            int colon = text.indexOf(':', start);
            if (colon > start && colon < end) {
                headers.put(
                        text.substring(start, colon).toLowerCase(Locale.ROOT),
                        text.substring(colon + 1, end).strip());
            }
            start = end + 1;
        }
        String connection = headers.getOrDefault("connection", text.charAt(7) == '1' ? "keep-alive" : "close");
        return new ResponseHead(status, headers, !connection.equalsIgnoreCase("close"));
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    boolean isChunked() {
        return header("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked");
    }

    /// How long the body is; empty if the head does not say.
    OptionalLong contentLength() throws IOException {
        String length = header("content-length");
        return isChunked() || length.isEmpty() ? OptionalLong.empty() : OptionalLong.of(number(length));
    }

    /// First byte, last byte and size of the whole object (-1 if unknown), as `Content-Range` says.
    long[] contentRange() throws IOException {
        String range = header("content-range");
        int dash = range.indexOf('-');
        int slash = range.indexOf('/');
        if (!range.startsWith("bytes ") || dash < 0 || slash < dash) {
            throw new IOException("the answer does not say which range it is");
        }
        String size = range.substring(slash + 1);
        return new long[] {
            number(range.substring(6, dash)),
            number(range.substring(dash + 1, slash)),
            size.equals("*") ? -1 : number(size)
        };
    }

    /// What tells one version of the object from another: the entity tag, else the time of its last change.
    String version() {
        String tag = header("etag");
        return tag.isEmpty() ? header("last-modified") : tag;
    }

    private static long number(String text) throws IOException {
        try {
            long value = Long.parseLong(text.strip());
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IOException("the answer has '" + text + "' where a number belongs");
    }
}
