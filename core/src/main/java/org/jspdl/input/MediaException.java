package org.jspdl.input;

import org.jspecify.annotations.Nullable;

/// Media that cannot be opened, read, decoded or written: missing, truncated, corrupt, of an unknown format, or beyond
/// a limit.
///
/// The message names the source, the stream and the time as far as they are known: `a.mp4: stream 0 (h264) at 3.200 s:
/// Invalid data found when processing input`.
public final class MediaException extends InputException {
    private static final long serialVersionUID = 1L;

    private MediaException(String source, String position, String reason, @Nullable Throwable cause) {
        super(source, position.isEmpty() ? reason : position + ": " + reason, UNKNOWN, cause);
    }

    /// An exception about a source as a whole.
    public static MediaException of(String source, String reason) {
        return new MediaException(source, "", reason, null);
    }

    /// The same, with its cause.
    public static MediaException of(String source, String reason, Throwable cause) {
        return new MediaException(source, "", reason, cause);
    }

    /// An exception at `position` of a source: a stream, and perhaps a time.
    public static MediaException at(String source, String position, String reason) {
        return new MediaException(source, position, reason, null);
    }

    @Override
    public MediaException withSource(String source) {
        return withThisTrace(new MediaException(source, "", text(), getCause()));
    }
}
