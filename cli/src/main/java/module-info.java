/// The command-line program `jspdl`.
@org.jspecify.annotations.NullMarked
module org.jspdl.cli {
    requires static org.jspecify;
    requires java.desktop;
    requires java.management;
    requires org.jspdl.core;
    requires org.jspdl.data;
    requires org.jspdl.media;
    requires org.jspdl.observe;
    requires org.jspdl.plan;
    requires org.jspdl.service;
}
