package org.jspdl.input;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Input that cannot be used: missing, truncated, corrupt, of a kind that is not supported, or beyond a limit.
///
/// The kinds say who noticed: [ReadException] storage, [FormatException] the parser of an array, archive or recording,
/// [DecodeException] an image decoder, [MediaException] FFmpeg. The message is `source: reason`, such as
/// `shard-07.tar: TAR: the header is damaged: its checksum is wrong (at byte 1,536)`.
public abstract sealed class InputException extends RuntimeException
        permits DecodeException, FormatException, MediaException, ReadException {
    private static final long serialVersionUID = 1L;
    static final long UNKNOWN = -1;

    private final String source;
    private final String text;
    private final long offset;

    InputException(String source, String text, long offset, @Nullable Throwable cause) {
        super(message(source, text, offset), cause);
        this.source = source;
        this.text = text;
        this.offset = offset;
    }

    private static String message(String source, String text, long offset) {
        return (source.isEmpty() ? "" : source + ": ")
                + text
                + (offset < 0 ? "" : String.format(Locale.ROOT, " (at byte %,d)", offset));
    }

    /// This exception for input from `source`: a path, a URL, or whatever helps to find it.
    public abstract InputException withSource(String source);

    /// Where the input came from, if that is known.
    public Optional<String> source() {
        return source.isEmpty() ? Optional.empty() : Optional.of(source);
    }

    /// The byte of the input at which the problem was found, from 0, if that is known.
    public OptionalLong offset() {
        return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /// What is wrong, with the byte but without the source.
    public String reason() {
        return message("", text, offset);
    }

    final String text() {
        return text;
    }

    final long offsetOrUnknown() {
        return offset;
    }

    /// `copy`, a version of this exception that says more, with this exception's stack trace.
    final <E extends InputException> E withThisTrace(E copy) {
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
