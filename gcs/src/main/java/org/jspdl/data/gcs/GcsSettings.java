package org.jspdl.data.gcs;

import java.util.Map;
import org.jspdl.data.bucket.BucketStorage;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;

/// Which server, and who asks.
record GcsSettings(String endpoint, Authorizer authorizer) {
    static final String GOOGLE = "https://storage.googleapis.com";

    /// What the environment says.
    static GcsSettings of(Map<String, String> environment) {
        String emulator = environment.getOrDefault("STORAGE_EMULATOR_HOST", "").strip();
        if (!emulator.isEmpty()) {
            return new GcsSettings(emulator.contains("://") ? emulator : "http://" + emulator, Authorizer.anonymous());
        }
        boolean unsigned = environment.getOrDefault("GOOGLE_SKIP_SIGNATURE", "").equalsIgnoreCase("true");
        return new GcsSettings(GOOGLE, unsigned ? Authorizer.anonymous() : GoogleAuthorizer.ofThisProcess());
    }

    /// Storage with these settings; the caller closes it.
    Storage open(StorageOptions options) {
        return new BucketStorage(options, (address, query) -> address.below(endpoint, query), authorizer);
    }
}
