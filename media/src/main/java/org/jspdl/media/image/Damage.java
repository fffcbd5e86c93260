package org.jspdl.media.image;

/// What becomes of a file that is truncated or corrupt.
public enum Damage {
    /// It is an error, whatever could be decoded.
    REFUSED,
    /// What could be decoded is kept, the rest is gray or black; an error only if nothing could.
    KEPT
}
