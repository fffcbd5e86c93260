/// From wherever the data lies to the first stage of a pipeline.
@org.jspecify.annotations.NullMarked
module org.jspdl.data {
    requires static org.jspecify;
    requires transitive org.jspdl.core;
    requires transitive org.jspdl.media;

    exports org.jspdl.data.dataset;
    exports org.jspdl.data.rows;
    exports org.jspdl.data.storage;

    uses org.jspdl.data.storage.StorageProvider;

    provides org.jspdl.data.storage.StorageProvider with
            org.jspdl.data.storage.FileStorageProvider;
}
