package org.jspdl.data.storage;

import java.io.IOException;
import java.util.Locale;

/// An object could not be read, listed or found. The message says which, why, and what to do about it; it never holds
/// credentials or the signed part of an address.
public final class StorageException extends IOException {
    private static final long serialVersionUID = 1L;

    /// What kind of failure it is, for those who treat some of them differently.
    public enum Kind {
        /// There is no such object, folder or bucket.
        MISSING,
        /// The storage does not let us read it: no, wrong or expired credentials.
        DENIED,
        /// The range lies outside the object, or the object is larger than allowed.
        RANGE,
        /// The object changed while it was read.
        CHANGED,
        /// The storage did not answer in time, or not well, however often it was asked.
        UNAVAILABLE,
        /// The location cannot be one, or the storage cannot do that.
        UNSUPPORTED
    }

    /// Why.
    private final Kind kind;

    /// The object, as given by the user.
    private final transient Location location;

    /// @param reason why, without the location, which the message begins with
    public StorageException(Kind kind, Location location, String reason) {
        super(location + ": " + reason);
        this.kind = kind;
        this.location = location;
    }

    /// @param reason why, without the location, which the message begins with
    public StorageException(Kind kind, Location location, String reason, Throwable cause) {
        this(kind, location, reason);
        initCause(cause);
    }

    /// For an object of another size than its index says.
    public static StorageException notAsIndexed(Location location, long size, long indexed) {
        return new StorageException(
                Kind.CHANGED,
                location,
                String.format(
                        Locale.ROOT,
                        "has %,d bytes, but the index of the dataset says %,d; make the index again with 'jspdl index'",
                        size,
                        indexed));
    }

    /// Why.
    public Kind kind() {
        return kind;
    }

    /// The object, as given by the user.
    public Location location() {
        return location;
    }
}
