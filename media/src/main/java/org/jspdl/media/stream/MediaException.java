package org.jspdl.media.stream;

import java.util.Locale;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspecify.annotations.Nullable;

/// Media that cannot be opened, read, decoded or written: missing, truncated, corrupt, of an unknown format, or beyond
/// a limit.
///
/// The message names the source, the stream and the time as far as they are known: `a.mp4: stream 0 (h264) at 3.200 s:
/// Invalid data found when processing input`.
public final class MediaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String source;
    private final String reason;

    private MediaException(String source, String place, String reason, @Nullable Throwable cause) {
        super(source + ": " + (place.isEmpty() ? "" : place + ": ") + reason, cause);
        this.source = source;
        this.reason = reason;
    }

    static MediaException of(String source, String reason) {
        return new MediaException(source, "", reason, null);
    }

    static MediaException of(String source, String reason, @Nullable Throwable cause) {
        return new MediaException(source, "", reason, cause);
    }

    static MediaException at(StreamInfo stream, Optional<Rational> time, String reason) {
        String when = time.map(at -> String.format(Locale.ROOT, " at %.3f s", at.toDouble()))
                .orElse("");
        return new MediaException(stream.source(), stream.describe() + when, reason, null);
    }

    static MediaException at(StreamInfo stream, Optional<Rational> time, int error) {
        return at(stream, time, AvCodec.errorText(error));
    }

    /// An exception about a stream as a whole.
    public static MediaException about(StreamInfo stream, String reason) {
        return at(stream, Optional.empty(), reason);
    }

    /// An exception about a source as a whole.
    public static MediaException about(MediaSource source, String reason) {
        return of(source.name(), reason);
    }

    /// The name of the source, such as a path.
    public String source() {
        return source;
    }

    /// What is wrong, without the place.
    public String reason() {
        return reason;
    }
}
