/// Pipelines, sources, statistics and off-heap memory.
@org.jspecify.annotations.NullMarked
module org.jspdl.core {
    requires static org.jspecify;

    exports org.jspdl.memory;
}
