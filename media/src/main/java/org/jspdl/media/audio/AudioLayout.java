package org.jspdl.media.audio;

/// How the samples of several channels lie in a tensor.
public enum AudioLayout {
    /// Each channel in one piece: `[C, N]`.
    PLANAR,
    /// The samples of one moment together: `[N, C]`.
    INTERLEAVED
}
