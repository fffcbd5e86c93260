package org.jspdl.service.exchange;

import java.util.Locale;
import java.util.Optional;

/// The head of a request without a body.
///
/// @param path          escaped, without a query
/// @param authorization who asks
/// @param keeps         whether another request may follow
record RequestHead(String method, String path, Optional<String> authorization, boolean keeps) {
    /// Reads a head up to its empty line.
    ///
    /// @throws IllegalArgumentException if it is none, or announces a body; the message says what is wrong
    static RequestHead parse(String text) {
        int end = text.indexOf('\n');
        String[] words =
                (end < 0 ? text : text.substring(0, end)).stripTrailing().split(" ", -1);
        if (words.length != 3
                || !isToken(words[0])
                || !words[1].startsWith("/")
                || !(words[2].equals("HTTP/1.1") || words[2].equals("HTTP/1.0"))) {
            throw new IllegalArgumentException("a request begins as 'GET /path HTTP/1.1'");
        }
        boolean keeps = words[2].endsWith(".1");
        Optional<String> authorization = Optional.empty();
        for (int start = end + 1; start > 0 && start < text.length(); start = text.indexOf('\n', start) + 1) {
            int next = text.indexOf('\n', start);
            String line = text.substring(start, next < 0 ? text.length() : next).stripTrailing();
            if (line.isEmpty()) {
                break;
            }
            int colon = line.indexOf(':');
            if (colon < 1 || !isToken(line.substring(0, colon))) {
                throw new IllegalArgumentException("a request has a line among its headers that is none");
            }
            String value = line.substring(colon + 1).strip();
            switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "authorization" -> {
                    if (authorization.isPresent()) {
                        throw new IllegalArgumentException("a request says twice who asks");
                    }
                    authorization = Optional.of(value);
                }
                case "connection" -> keeps &= !value.toLowerCase(Locale.ROOT).contains("close");
                case "transfer-encoding" -> throw new IllegalArgumentException("requests have no body");
                case "content-length" -> {
                    if (!value.equals("0")) {
                        throw new IllegalArgumentException("requests have no body");
                    }
                }
                default -> {}
            }
        }
        int query = words[1].indexOf('?');
        return new RequestHead(words[0], query < 0 ? words[1] : words[1].substring(0, query), authorization, keeps);
    }

    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> c > ' ' && c < 127 && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0);
    }
}
