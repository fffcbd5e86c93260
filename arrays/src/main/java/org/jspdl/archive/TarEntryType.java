package org.jspdl.archive;

/// What an entry of a TAR archive is.
public enum TarEntryType {
    /// A regular file: the only kind that has content.
    FILE,
    /// A folder.
    DIRECTORY,
    /// Another name of an earlier entry.
    HARD_LINK,
    /// A symbolic link.
    SYMBOLIC_LINK,
    /// A device, a pipe, or another thing without content.
    OTHER
}
