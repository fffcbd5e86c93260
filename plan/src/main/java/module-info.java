/// Pipelines as data: plans, the operations that they name, and their text in YAML and JSON.
@org.jspecify.annotations.NullMarked
module org.jspdl.plan {
    requires static org.jspecify;
    requires transitive org.jspdl.core;
    requires org.snakeyaml.engine;

    exports org.jspdl.plan;
    exports org.jspdl.plan.function;
    exports org.jspdl.plan.edit;
    exports org.jspdl.plan.model;
    exports org.jspdl.plan.record;

    uses org.jspdl.plan.OperationProvider;

    provides org.jspdl.plan.OperationProvider with
            org.jspdl.plan.StandardOperations;
}
