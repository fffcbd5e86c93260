/// Storage for `gs://`.
@org.jspecify.annotations.NullMarked
module org.jspdl.data.gcs {
    requires static org.jspecify;
    requires com.google.auth;
    requires com.google.auth.oauth2;
    requires org.jspdl.data;

    provides org.jspdl.data.storage.StorageProvider with
            org.jspdl.data.gcs.GcsStorageProvider;
}
