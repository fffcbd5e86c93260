package org.jspdl.data.storage;

import java.util.Locale;

/// What is checked before an object is read as a whole.
public final class WholeObject {
    private WholeObject() {}

    /// `size`, if memory may be taken for it.
    ///
    /// @throws StorageException if the object is empty or larger than `limitBytes`
    public static long check(Location location, long size, long limitBytes) throws StorageException {
        if (size == 0) {
            throw new StorageException(StorageException.Kind.RANGE, location, "the object is empty");
        }
        if (size > limitBytes) {
            throw new StorageException(
                    StorageException.Kind.RANGE,
                    location,
                    String.format(
                            Locale.ROOT, "the object has %,d bytes, more than the %,d allowed", size, limitBytes));
        }
        return size;
    }
}
