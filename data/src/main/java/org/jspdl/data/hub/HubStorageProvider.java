package org.jspdl.data.hub;

import java.nio.file.Path;
import java.util.Set;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;

/// Storage for `hf://datasets/OWNER/NAME/PATH`, the Hugging Face Hub: `hf://datasets/OWNER/NAME@REVISION/PATH` reads
/// another revision than `main`, and `hf://OWNER/NAME/PATH` the repository of a model.
///
/// What is not public needs a token: `HF_TOKEN`, or the file that `hf auth login` writes. It is sent to the Hub alone,
/// never to where the Hub redirects. `HF_ENDPOINT` names another Hub.
public final class HubStorageProvider implements StorageProvider {
    /// For `ServiceLoader`.
    public HubStorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("hf");
    }

    @Override
    public String server() {
        return System.getenv().getOrDefault("HF_ENDPOINT", "").strip();
    }

    @Override
    public Storage open(StorageOptions options) {
        try {
            return HubStorage.open(options, System.getenv(), Path.of(System.getProperty("user.home", "/")));
        } catch (StorageException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }
}
