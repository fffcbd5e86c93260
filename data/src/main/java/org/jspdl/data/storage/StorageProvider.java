package org.jspdl.data.storage;

import java.util.Set;

/// Storage for some schemes, found by [java.util.ServiceLoader].
///
/// A provider has a public constructor without arguments, which does nothing expensive.
public interface StorageProvider {

    /// The schemes it serves, in lower case, such as `s3`.
    Set<String> schemes();

    /// The server that is read from, where the environment or a setting of this machine names another than the
    /// usual one of the schemes; else empty. Two servers have objects of one name: caches tell them apart by this.
    default String server() {
        return "";
    }

    /// Storage for these schemes; the caller closes it. Called when a location of one of them is first used.
    Storage open(StorageOptions options);
}
