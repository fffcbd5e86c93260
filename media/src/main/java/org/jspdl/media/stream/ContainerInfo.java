package org.jspdl.media.stream;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.input.MediaException;

/// The content of a container: its format, metadata and streams.
///
/// @param source   the name of the source
/// @param format   FFmpeg's names of the format, such as `matroska,webm`
/// @param duration of the longest stream, in seconds
/// @param bitRate  bits a second of all streams, 0 if unknown
/// @param streams  by their numbers
/// @param metadata of the whole file: title, encoder
public record ContainerInfo(
        String source,
        String format,
        Optional<Rational> duration,
        long bitRate,
        List<StreamInfo> streams,
        Map<String, String> metadata) {
    /// The stream of a kind that players would choose: the default one, else the first; never a cover picture.
    public Optional<StreamInfo> best(StreamInfo.Kind kind) {
        List<StreamInfo> fitting = streams.stream()
                .filter(stream -> stream.kind() == kind && !stream.isAttachedPicture())
                .toList();
        return fitting.stream()
                .filter(StreamInfo::isDefault)
                .findFirst()
                .or(() -> fitting.stream().findFirst());
    }

    /// As [#best], but there must be one.
    ///
    /// @throws MediaException if there is none
    public StreamInfo require(StreamInfo.Kind kind) {
        return best(kind)
                .orElseThrow(() -> MediaException.of(
                        source,
                        "there is no " + (kind == StreamInfo.Kind.AUDIO ? "audio" : "video") + " stream in it"));
    }
}
