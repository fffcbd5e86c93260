/// Metrics of runs for Micrometer.
// Micrometer has no module descriptor, only a name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
@org.jspecify.annotations.NullMarked
module org.jspdl.micrometer {
    requires static org.jspecify;
    requires transitive micrometer.core;
    requires transitive org.jspdl.core;

    exports org.jspdl.micrometer;
}
