package org.jspdl.media.image;

import org.jspdl.testing.Requires;

/// Skips tests of a decoder that the machine doesn't have.
final class Backends {
    private Backends() {}

    /// Skips a test that decodes by `backend` and expects just that.
    static void require(JpegBackend backend) {
        if (backend == JpegBackend.TURBOJPEG) {
            requireTurboJpeg();
        }
    }

    /// Skips a test of what only TurboJPEG does.
    static void requireTurboJpeg() {
        Requires.library("libturbojpeg.so.0");
    }
}
