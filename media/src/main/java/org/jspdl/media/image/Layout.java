package org.jspdl.media.image;

/// Where the channels of a pixel lie in a batch.
public enum Layout {
    /// Channels last: the channels of a pixel lie together.
    NHWC,
    /// Channels first: each channel is a plane.
    NCHW
}
