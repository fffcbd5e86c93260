package org.jspdl.media.stream;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// Limits beyond which a file is refused, so that a hostile or broken one costs little. Immutable.
///
/// A native call can't be interrupted: the deadline is checked in every read and between packets and frames, and the
/// other limits bound what one call can do.
///
/// @param maxPixels   pixels of one picture; 100 million by default
/// @param maxStreams  streams of a container; 100 by default
/// @param maxDuration of a stream, where the header tells; none by default
/// @param maxBytes    of memory for one result: a tensor, or the frames of one call; 16 GiB by default
/// @param deadline    how long a source may be worked on from its opening; none by default
public record MediaLimits(
        long maxPixels, int maxStreams, Optional<Duration> maxDuration, long maxBytes, Optional<Duration> deadline) {
    private static final MediaLimits DEFAULT =
            new MediaLimits(100_000_000, 100, Optional.empty(), 16L << 30, Optional.empty());

    /// Checks that the limits are positive.
    public MediaLimits {
        Objects.requireNonNull(maxDuration);
        Objects.requireNonNull(deadline);
        if (maxPixels < 1 || maxStreams < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("limits must be at least 1 but were " + maxPixels + " pixels, "
                    + maxStreams + " streams, " + maxBytes + " bytes");
        }
    }

    /// The defaults.
    public static MediaLimits standard() {
        return DEFAULT;
    }

    /// These with another number of pixels.
    public MediaLimits maxPixels(long pixels) {
        return new MediaLimits(pixels, maxStreams, maxDuration, maxBytes, deadline);
    }

    /// These with another number of streams.
    public MediaLimits maxStreams(int streams) {
        return new MediaLimits(maxPixels, streams, maxDuration, maxBytes, deadline);
    }

    /// These with a longest duration.
    public MediaLimits maxDuration(Duration duration) {
        return new MediaLimits(maxPixels, maxStreams, Optional.of(duration), maxBytes, deadline);
    }

    /// These with another amount of memory for a result.
    public MediaLimits maxBytes(long bytes) {
        return new MediaLimits(maxPixels, maxStreams, maxDuration, bytes, deadline);
    }

    /// These with a deadline.
    public MediaLimits deadline(Duration duration) {
        return new MediaLimits(maxPixels, maxStreams, maxDuration, maxBytes, Optional.of(duration));
    }
}
