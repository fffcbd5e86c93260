package org.jspdl.media.image;

import java.util.Optional;
import org.jspdl.media.internal.codec.JpegLibrary;
import org.jspdl.media.internal.turbojpeg.TurboJpeg;

/// Chooses the library for JPEG.
final class JpegBackends {
    private JpegBackends() {}

    /// What decodes JPEG if Java does not; none is loaded for `BEST`, which would take longer than a picture.
    static JpegLibrary toDecode(JpegBackend wanted) {
        return wanted == JpegBackend.BEST ? JpegLibrary.FFMPEG : choose(wanted);
    }

    /// What `wanted` comes down to here: `TURBOJPEG` or `FFMPEG`.
    ///
    /// @throws IllegalStateException if TurboJPEG was asked for by name and is missing
    static JpegLibrary choose(JpegBackend wanted) {
        return switch (wanted) {
            case FFMPEG -> JpegLibrary.FFMPEG;
            case BEST -> whyTurboJpegIsMissing().isEmpty() ? JpegLibrary.TURBOJPEG : JpegLibrary.FFMPEG;
            case TURBOJPEG -> {
                Optional<String> missing = whyTurboJpegIsMissing();
                if (missing.isPresent()) {
                    throw new IllegalStateException("TurboJPEG not found (" + missing.get()
                            + "). Install libturbojpeg0, or let the decoder choose (JpegBackend.BEST).");
                }
                yield JpegLibrary.TURBOJPEG;
            }
        };
    }

    /// Why TurboJPEG cannot be used here; empty if it can.
    static Optional<String> whyTurboJpegIsMissing() {
        try {
            TurboJpeg.load();
            return Optional.empty();
        } catch (LinkageError failed) {
            Throwable reason = failed.getCause() == null ? failed : failed.getCause();
            return Optional.of(String.valueOf(reason.getMessage()));
        }
    }
}
