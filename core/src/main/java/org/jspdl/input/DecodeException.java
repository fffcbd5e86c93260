package org.jspdl.input;

import org.jspecify.annotations.Nullable;

/// An image that cannot be decoded: empty, truncated, corrupt, of an unknown format, or beyond a limit.
///
/// The message says the format, what is wrong and at which byte where that is known, and the source once somebody who
/// knows it has added it with [#withSource].
public final class DecodeException extends InputException {
    private static final long serialVersionUID = 1L;

    private DecodeException(String source, String text, long offset, @Nullable Throwable cause) {
        super(source, text, offset, cause);
    }

    /// An exception for input of unknown origin.
    public static DecodeException because(String reason) {
        return new DecodeException("", reason, UNKNOWN, null);
    }

    /// The same, for a problem at byte `offset` of the input, which the message then says.
    public static DecodeException at(long offset, String reason) {
        return new DecodeException("", reason, offset, null);
    }

    @Override
    public DecodeException withSource(String source) {
        return withThisTrace(new DecodeException(source, text(), offsetOrUnknown(), getCause()));
    }

    /// This exception with `context` before its reason: the format, or the part of the input that it is about.
    public DecodeException within(String context) {
        return withThisTrace(
                new DecodeException(source().orElse(""), context + ": " + text(), offsetOrUnknown(), getCause()));
    }
}
