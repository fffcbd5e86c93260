package org.jspdl.media.stream;

import java.util.List;
import java.util.Map;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.filter.AvBuild;

/// What the loaded build of FFmpeg has, by FFmpeg's names, each list in ascending order. Immutable.
///
/// @param versions         by library, and `ffmpeg`
/// @param configuration    the options that it was built with
/// @param license          what follows from them, such as `LGPL version 3 or later`
/// @param decoders         codecs that can be read
/// @param encoders         codecs that can be written
/// @param demuxers         formats that can be read; some have several names, comma-separated
/// @param muxers           formats that can be written
/// @param filters          for filter graphs
/// @param bitstreamFilters for packets
public record MediaBuild(
        Map<String, String> versions,
        String configuration,
        String license,
        List<String> decoders,
        List<String> encoders,
        List<String> demuxers,
        List<String> muxers,
        List<String> filters,
        List<String> bitstreamFilters) {

    /// What this process has.
    ///
    /// @throws IllegalStateException if FFmpeg can't be loaded, saying why and what to do
    public static MediaBuild current() {
        FfmpegLibraries.require();
        return new MediaBuild(
                Map.copyOf(AvBuild.versions()),
                AvBuild.configuration(),
                AvBuild.license(),
                AvBuild.decoders(),
                AvBuild.encoders(),
                AvBuild.demuxers(),
                AvBuild.muxers(),
                AvBuild.filters(),
                AvBuild.bitstreamFilters());
    }
}
