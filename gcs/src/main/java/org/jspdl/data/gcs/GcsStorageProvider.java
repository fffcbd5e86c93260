package org.jspdl.data.gcs;

import java.util.Set;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;

/// Storage for `gs://bucket/object`, by the XML interface of Google Cloud Storage.
///
/// Credentials are the application's defaults: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, those of
/// `gcloud auth application-default login`, or of the machine. `GOOGLE_SKIP_SIGNATURE=true` reads public buckets
/// without any. `STORAGE_EMULATOR_HOST` names a server for tests, which is told none either.
public final class GcsStorageProvider implements StorageProvider {

    /// For `ServiceLoader`.
    public GcsStorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("gs");
    }

    @Override
    public String server() {
        return System.getenv().getOrDefault("STORAGE_EMULATOR_HOST", "").strip();
    }

    @Override
    public Storage open(StorageOptions options) {
        return GcsSettings.of(System.getenv()).open(options);
    }
}
