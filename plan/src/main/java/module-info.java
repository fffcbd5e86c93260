/// Plans read from YAML and JSON, and written to them.
@org.jspecify.annotations.NullMarked
module org.jspdl.plan {
    requires static org.jspecify;
    requires transitive org.jspdl.core;
    requires org.snakeyaml.engine;

    exports org.jspdl.plan.text;
}
