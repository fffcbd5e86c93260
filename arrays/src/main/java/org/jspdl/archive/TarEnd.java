package org.jspdl.archive;

/// Whether a TAR archive must end with its end marker, a block of zeros.
public enum TarEnd {
    /// An archive without one is an error: it was cut between two entries.
    REQUIRED,
    /// The end of the data is the end of the archive, as for archives that are being written.
    OPTIONAL
}
