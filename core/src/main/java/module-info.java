/// Pipelines, sources, statistics, off-heap memory and JSON.
@org.jspecify.annotations.NullMarked
module org.jspdl.core {
    requires static transitive org.jspecify;
    requires jdk.jfr;

    exports org.jspdl.files;
    exports org.jspdl.input;
    exports org.jspdl.json;
    exports org.jspdl.memory;
    exports org.jspdl.pipeline;
    exports org.jspdl.pipeline.idle;
    exports org.jspdl.pipeline.intercept;
    exports org.jspdl.pipeline.mixture;
    exports org.jspdl.providers;
    exports org.jspdl.source;
    exports org.jspdl.stats;
    exports org.jspdl.stats.model;

    uses org.jspdl.pipeline.RunExtension;
}
