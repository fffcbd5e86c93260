package org.jspdl.media.internal.codec;

/// How a codec decodes.
///
/// @param keepsAlpha   whether alpha is of use: as a channel of the output, or to compose over a color
/// @param keepsDamaged whether what can be decoded of a damaged file is kept, rather than the file refused
/// @param fastest      whether speed counts more than the last bits
public record DecodeMode(boolean keepsAlpha, boolean keepsDamaged, boolean fastest) {
    /// Refuses damage, drops alpha.
    public static final DecodeMode STRICT = new DecodeMode(false, false, false);
}
