package org.jspdl.media.internal.jpeg;

import org.jspdl.input.DecodeException;

/// What damage of a file means: an error, or something that is passed over. Used by one thread at a time.
final class Strictness {
    private boolean keepsDamaged;
    private long fileBytes;

    void begin(long fileBytes, boolean keepsDamaged) {
        this.fileBytes = fileBytes;
        this.keepsDamaged = keepsDamaged;
    }

    /// Whether damage is passed over.
    boolean keepsDamaged() {
        return keepsDamaged;
    }

    /// Reports damage that decoding can go on after.
    ///
    /// @param at which byte of the file is wrong
    /// @throws DecodeException if damage is an error
    void damaged(long at, String what) {
        if (!keepsDamaged) {
            throw refused(at, what);
        }
    }

    /// The exception for a file that cannot be decoded from byte `at` on.
    DecodeException refused(long at, String what) {
        return DecodeException.at(at, String.format("JPEG of %,d bytes: %s", fileBytes, what));
    }

    /// The exception for a file that cannot be decoded.
    DecodeException refused(String what) {
        return DecodeException.because(String.format("JPEG of %,d bytes: %s", fileBytes, what));
    }
}
