/// Loaders for the trainers of DJL, and tensors as its arrays, without a copy.
// DJL has no module descriptor, only a name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
@org.jspecify.annotations.NullMarked
module org.jspdl.djl {
    requires static org.jspecify;
    requires transitive ai.djl.api;
    requires transitive org.jspdl.core;
    requires transitive org.jspdl.data;

    exports org.jspdl.djl;
}
