package org.jspdl.input;

import java.util.Optional;

/// An array, archive or recording that is not what its format says: truncated, corrupt, or of a kind not supported.
///
/// The message says the format, what is wrong, where and how much, and the source once somebody who knows it has added
/// it with [#withSource].
public final class FormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String source;

    private FormatException(String source, String reason) {
        super(source.isEmpty() ? reason : source + ": " + reason);
        this.source = source;
        this.reason = reason;
    }

    /// An exception for input of unknown origin.
    public static FormatException because(String reason) {
        return new FormatException("", reason);
    }

    /// This exception for input from `source`: a path, a URL, or whatever helps to find it.
    public FormatException withSource(String source) {
        FormatException located = new FormatException(source, reason);
        located.setStackTrace(getStackTrace());
        return located;
    }

    /// What is wrong, without the source.
    public String reason() {
        return reason;
    }

    /// Where the input came from, if that was added.
    public Optional<String> source() {
        return source.isEmpty() ? Optional.empty() : Optional.of(source);
    }
}
