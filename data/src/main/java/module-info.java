/// From wherever the data lies to the first stage of a pipeline.
@SuppressWarnings("module") // the data service is compiled later
@org.jspecify.annotations.NullMarked
module org.jspdl.data {
    requires static org.jspecify;
    requires java.net.http;
    requires java.xml;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires static java.desktop; // for the sample photographs alone
    requires aircompressor.v3;
    requires transitive org.jspdl.arrays;
    requires transitive org.jspdl.core;
    requires transitive org.jspdl.media;
    requires transitive org.jspdl.plan;

    exports org.jspdl.data.bucket;
    exports org.jspdl.data.cache;
    exports org.jspdl.data.coco;
    exports org.jspdl.data.dataset;
    exports org.jspdl.data.http;
    exports org.jspdl.data.http.pace to
            org.jspdl.service;
    exports org.jspdl.data.image;
    exports org.jspdl.data.index;
    exports org.jspdl.data.loader;
    exports org.jspdl.data.order;
    exports org.jspdl.data.plan;
    exports org.jspdl.data.rows;
    exports org.jspdl.data.sample;
    exports org.jspdl.data.shards;
    exports org.jspdl.data.shards.cost;
    exports org.jspdl.data.shards.filter;
    exports org.jspdl.data.shards.pack;
    exports org.jspdl.data.shards.tar;
    exports org.jspdl.data.snapshot;
    exports org.jspdl.data.storage;
    exports org.jspdl.data.text;

    uses org.jspdl.data.image.ImageServiceProvider;
    uses org.jspdl.data.shards.ShardFormat;
    uses org.jspdl.data.shards.pack.PackFormat;
    uses org.jspdl.data.storage.StorageProvider;
    uses org.jspdl.plan.model.ModelRuntime;

    provides org.jspdl.plan.OperationProvider with
            org.jspdl.data.plan.ImageOperations,
            org.jspdl.data.plan.SampleOperations,
            org.jspdl.data.plan.TextOperations;
    provides org.jspdl.data.shards.ShardFormat with
            org.jspdl.data.shards.arrow.ArrowFormat,
            org.jspdl.data.shards.mds.MdsFormat,
            org.jspdl.data.shards.tar.TarFormat,
            org.jspdl.data.shards.tfrecord.TfRecordFormat;
    provides org.jspdl.data.shards.pack.PackFormat with
            org.jspdl.data.shards.mds.MdsPackFormat;
    provides org.jspdl.data.storage.StorageProvider with
            org.jspdl.data.storage.FileStorageProvider,
            org.jspdl.data.http.HttpStorageProvider,
            org.jspdl.data.hub.HubStorageProvider;
}
