package org.jspdl.data.azure;

import java.util.Set;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;

/// Storage for `az://account/container/blob` and `abfss://container@account.dfs.core.windows.net/blob`, by the
/// interface of Azure Blob Storage.
///
/// Credentials come from where the Azure command looks for them: `AZURE_STORAGE_CONNECTION_STRING`, or
/// `AZURE_STORAGE_ACCOUNT` with `AZURE_STORAGE_KEY` or `AZURE_STORAGE_SAS_TOKEN`; else, if Azure's library
/// `azure-identity` is on the class path, tokens of Microsoft Entra ID as its `DefaultAzureCredential` finds them.
/// `AZURE_SKIP_SIGNATURE=true` reads public containers without any.
public final class AzureStorageProvider implements StorageProvider {

    /// For `ServiceLoader`.
    public AzureStorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("az", "abfs", "abfss");
    }

    @Override
    public String server() {
        return AzureSettings.of(System.getenv()).unusualEndpoint();
    }

    @Override
    public Storage open(StorageOptions options) {
        return AzureSettings.of(System.getenv()).open(options);
    }
}
