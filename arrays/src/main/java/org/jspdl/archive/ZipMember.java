package org.jspdl.archive;

/// One file in a zip archive, as the archive's directory describes it.
///
/// @param name            its path, with slashes
/// @param method          how it is compressed: 0 stored, 8 deflated; others can't be read
/// @param encrypted       whether it is encrypted, which can't be read
/// @param crc32           the checksum of its content
/// @param storedBytes     the bytes it takes in the archive
/// @param byteSize        the bytes of its content
/// @param headerOffset    where its local header begins in the archive
public record ZipMember(
        String name, int method, boolean encrypted, int crc32, long storedBytes, long byteSize, long headerOffset) {
    static final int STORED = 0;
    static final int DEFLATED = 8;

    /// Whether its content lies in the archive as it is, and can be viewed without a copy.
    public boolean isStored() {
        return method == STORED && !encrypted;
    }
}
