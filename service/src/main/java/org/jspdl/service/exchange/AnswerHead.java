package org.jspdl.service.exchange;

import java.io.IOException;
import java.util.Locale;

/// The head of an answer of HTTP, as far as it matters here.
///
/// @param length   of the body; -1 if the head does not tell
/// @param checksum that the body is said to have; `none` if nothing is said
/// @param keeps    whether the connection may be used again behind the body
record AnswerHead(int status, long length, String checksum, boolean keeps) {
    private static final String PROTOCOL = "HTTP/1.";
    private static final String CHECKSUM = Exchanges.CHECKSUM.toLowerCase(Locale.ROOT);
    private static final int STATUS_AT = 9;
    private static final int LEAST = 12;
    private static final int MOST_DIGITS = 18;
    private static final int MOST_TOLD = 40;

    /// Whether `text` may be the beginning of an answer.
    static boolean mayBegin(String text) {
        return text.length() < PROTOCOL.length() ? PROTOCOL.startsWith(text) : text.startsWith(PROTOCOL);
    }

    /// What is wrong with something that begins in this way.
    static IOException noAnswer(String text) {
        return new IOException(
                "it answers without a status line: \"" + text.substring(0, Math.min(MOST_TOLD, text.length())) + "\"");
    }

    /// Reads a head up to its empty line.
    ///
    /// @throws IOException if it is none, says two things at once, or is of a body whose end it does not tell
    static AnswerHead parse(String text) throws IOException {
        boolean isLatest = text.startsWith(PROTOCOL + "1 ");
        if (text.length() < LEAST || !(isLatest || text.startsWith(PROTOCOL + "0 "))) {
            throw noAnswer(text);
        }
        String digits = text.substring(STATUS_AT, LEAST);
        if (!isNumber(digits) || (text.length() > LEAST && text.charAt(LEAST) > ' ')) {
            throw noAnswer(text);
        }
        long length = -1;
        String checksum = "none";
        boolean keeps = isLatest;
        for (int start = text.indexOf('\n') + 1; start > 0 && start < text.length(); ) {
            int next = text.indexOf('\n', start);
            int end = next < 0 ? text.length() : next;
            String line = text.substring(start, end).stripTrailing();
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip();
            switch (name) {
                case "content-length" -> {
                    if (length >= 0 || !isNumber(value)) {
                        throw new IOException("it announces a length of '" + value + "', after " + length);
                    }
                    length = Long.parseLong(value);
                }
                case "transfer-encoding" ->
                    throw new IOException("it answers with the Transfer-Encoding '" + value + "', not with a length");
                case "connection" -> keeps &= !value.toLowerCase(Locale.ROOT).contains("close");
                default -> checksum = name.equals(CHECKSUM) ? value : checksum;
            }
            start = end + 1;
        }
        return new AnswerHead(Integer.parseInt(digits), length, checksum, keeps);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
