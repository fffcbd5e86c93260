package org.jspdl.testkit.storage;

/// The bytes of one object that a server holds, or computes from a seed. Immutable.
public interface ObjectContent {

    /// How many bytes there are.
    long size();

    /// Fills `target` with the bytes from `offset` on; the caller stays within [#size].
    void copy(long offset, byte[] target);

    /// What the server says in `ETag`; differs when the content does.
    String tag();

    /// These bytes, which must not change afterwards.
    static ObjectContent of(byte[] bytes) {
        return new BytesContent(bytes);
    }

    /// `size` bytes that take no memory: the byte at `i` is [#byteAt]`(seed, i)`.
    static ObjectContent seeded(long seed, long size) {
        return new SeededContent(seed, size);
    }

    /// The byte at position `index` of seeded content.
    static byte byteAt(long seed, long index) {
        return SeededContent.at(seed, index);
    }
}
