package org.jspdl.data.http;

import java.util.Set;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;

/// Storage for `http://` and `https://`.
public final class HttpStorageProvider implements StorageProvider {

    /// For `ServiceLoader`.
    public HttpStorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("http", "https");
    }

    @Override
    public Storage open(StorageOptions options) {
        return new HttpStorage(options);
    }
}
