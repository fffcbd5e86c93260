package org.jspdl.data.bucket;

import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.StorageException;

/// Where the objects of buckets are.
@FunctionalInterface
public interface BucketServer {
    /// The web address of an object, or of a bucket if the key is empty.
    ///
    /// @param query with its question mark; or empty
    /// @throws StorageException if there can be none
    HttpAddress at(BucketAddress address, String query) throws StorageException;
}
