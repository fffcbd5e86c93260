package org.jspdl.media.image;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Input that cannot be decoded: empty, truncated, corrupt, of an unknown format, or beyond a limit.
///
/// The message says the format, what is wrong and at which byte where that is known, and the source once somebody who
/// knows it has added it with [#withSource].
public final class DecodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String source;

    private DecodeException(String source, String reason, @Nullable Throwable cause) {
        super(source.isEmpty() ? reason : source + ": " + reason, cause);
        this.source = source;
        this.reason = reason;
    }

    /// An exception for input of unknown origin.
    public static DecodeException because(String reason) {
        return new DecodeException("", reason, null);
    }

    /// This exception for input from `source`: a path, a URL, or whatever helps to find it.
    public DecodeException withSource(String source) {
        DecodeException located = new DecodeException(source, reason, getCause());
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
