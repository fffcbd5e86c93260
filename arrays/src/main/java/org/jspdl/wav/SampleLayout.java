package org.jspdl.wav;

/// How the samples of several channels lie in a tensor.
public enum SampleLayout {
    /// [frames, channels]: the samples of one moment beside each other, as WAV files have them.
    INTERLEAVED,
    /// [channels, frames]: each channel for itself, as most models take them.
    PLANAR
}
