package org.jspdl.data.storage;

import java.util.Set;

/// Local files: locations without a scheme, and `file://`.
public final class FileStorageProvider implements StorageProvider {

    /// For `ServiceLoader`.
    public FileStorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public Storage open(StorageOptions options) {
        return new FileStorage(options.access().local());
    }
}
