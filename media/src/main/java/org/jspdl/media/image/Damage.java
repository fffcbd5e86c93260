package org.jspdl.media.image;

/// Whether truncated and corrupt files are refused.
public enum Damage {
    /// It is an error, whatever could be decoded. JPEG files are read only as far as the rows that are wanted.
    REFUSED,
    /// What could be decoded is kept, the rest is gray or black; an error only if nothing could.
    KEPT
}
