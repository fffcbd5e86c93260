/// Storage for `az://`, `abfs://` and `abfss://`.
@org.jspecify.annotations.NullMarked
module org.jspdl.data.azure {
    requires static com.azure.core;
    requires static com.azure.identity;
    requires static org.jspecify;
    requires java.xml;
    requires org.jspdl.data;

    provides org.jspdl.data.storage.StorageProvider with
            org.jspdl.data.azure.AzureStorageProvider;
}
