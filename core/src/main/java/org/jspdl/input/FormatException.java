package org.jspdl.input;

import org.jspecify.annotations.Nullable;

/// An array, archive or recording that is not what its format says: truncated, corrupt, or of a kind not supported.
///
/// The message says the format, what is wrong and at which byte where that is known, and the source once somebody who
/// knows it has added it with [#withSource].
public final class FormatException extends InputException {
    private static final long serialVersionUID = 1L;

    private FormatException(String source, String text, long offset, @Nullable Throwable cause) {
        super(source, text, offset, cause);
    }

    /// An exception for input of unknown origin.
    public static FormatException because(String reason) {
        return new FormatException("", reason, UNKNOWN, null);
    }

    /// The same, for a problem at byte `offset` of the input, which the message then says.
    public static FormatException at(long offset, String reason) {
        return new FormatException("", reason, offset, null);
    }

    @Override
    public FormatException withSource(String source) {
        return withThisTrace(new FormatException(source, text(), offsetOrUnknown(), getCause()));
    }

    /// This exception with `context` before its reason: the format, or the part of the input that it is about.
    public FormatException within(String context) {
        return withThisTrace(
                new FormatException(source().orElse(""), context + ": " + text(), offsetOrUnknown(), getCause()));
    }
}
