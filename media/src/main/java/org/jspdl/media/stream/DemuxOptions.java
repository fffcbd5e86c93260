package org.jspdl.media.stream;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// How a container is opened. Immutable.
///
/// @param format     FFmpeg's name of the format for files without a header, empty to find out
/// @param options    options of FFmpeg's demuxer, such as `sample_rate` for raw sound
/// @param inspection how much is read to find out what the header does not tell
/// @param limits     what the file may ask for
public record DemuxOptions(String format, Map<String, String> options, Inspection inspection, MediaLimits limits) {
    private static final DemuxOptions STANDARD =
            new DemuxOptions("", Map.of(), Inspection.AS_NEEDED, MediaLimits.standard());

    /// How much of the file is read when it is opened.
    public enum Inspection {
        /// The header only: the quickest, for formats whose packets tell the rest.
        HEADER,
        /// The header, and the first packets if it lacks sizes, rates or channels.
        AS_NEEDED,
        /// Header and first packets, to know as much as can be known.
        FULL
    }

    /// Copies the options.
    public DemuxOptions {
        Objects.requireNonNull(format);
        Objects.requireNonNull(inspection);
        Objects.requireNonNull(limits);
        options = Map.copyOf(options);
    }

    /// The defaults.
    public static DemuxOptions standard() {
        return STANDARD;
    }

    /// These for a format that is known.
    public DemuxOptions format(String name) {
        return new DemuxOptions(name, options, inspection, limits);
    }

    /// These with an option of FFmpeg's demuxer.
    public DemuxOptions option(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new DemuxOptions(format, more, inspection, limits);
    }

    /// These with another inspection.
    public DemuxOptions inspection(Inspection other) {
        return new DemuxOptions(format, options, other, limits);
    }

    /// These with other limits.
    public DemuxOptions limits(MediaLimits other) {
        return new DemuxOptions(format, options, inspection, other);
    }
}
