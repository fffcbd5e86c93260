package org.jspdl.media.image;

/// The order of dimensions in a batch.
public enum Layout {
    /// Channels last: the channels of a pixel lie together.
    NHWC,
    /// Channels first: each channel is a plane.
    NCHW
}
