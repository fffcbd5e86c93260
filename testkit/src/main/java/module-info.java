/// Conformance kits for those who extend JSPDL. A kit is a JUnit class to subclass that asks one question.
@org.jspecify.annotations.NullMarked
module org.jspdl.testkit {
    requires static org.jspecify;
    requires transitive org.jspdl.core;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;

    exports org.jspdl.testkit;
    exports org.jspdl.testkit.storage;
}
