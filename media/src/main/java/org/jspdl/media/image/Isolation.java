package org.jspdl.media.image;

import java.time.Duration;
import java.util.Objects;

/// Which files are decoded in a helper process, where a crash or an endless loop of a native library is a failure of
/// that file and of nothing else. Immutable.
///
/// A helper is a small JVM, one for each call at once, and some started ahead. It ends with the decoder.
///
/// @param scope    which files
/// @param deadline the processor time that a helper may take for one file, and four times as much by the clock; then it
///     is ended, and the file refused
public record Isolation(Scope scope, Duration deadline) {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Duration MEDIA_DEADLINE = Duration.ofMinutes(10);

    /// Which files are decoded in a helper.
    public enum Scope {
        /// Files that were being decoded when an earlier process of this user died, or that exceeded the
        /// deadline before; and all files of a format of which three did so.
        AUTO,
        /// All that native libraries decode.
        ALL,
        /// None.
        NONE
    }

    public Isolation {
        Objects.requireNonNull(scope, "scope");
        if (deadline.isNegative() || deadline.isZero() || deadline.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("deadline must be positive and at most a day but was " + deadline);
        }
    }

    /// The default: helpers for what crashed or exceeded the deadline before, 30 s for each file.
    public static Isolation auto() {
        return of(Scope.AUTO);
    }

    /// Helpers for all that native libraries decode.
    public static Isolation all() {
        return of(Scope.ALL);
    }

    /// No helpers.
    public static Isolation none() {
        return of(Scope.NONE);
    }

    /// The default of sound and video: as [#auto], with 10 minutes for each file, because a whole film takes its
    /// time.
    public static Isolation forMedia() {
        return auto().deadline(MEDIA_DEADLINE);
    }

    /// With the default deadline.
    public static Isolation of(Scope scope) {
        return new Isolation(scope, DEADLINE);
    }

    /// The same with another deadline.
    public Isolation deadline(Duration deadline) {
        return new Isolation(scope, deadline);
    }
}
