/// The command-line program `jspdl`.
@org.jspecify.annotations.NullMarked
module org.jspdl.cli {
    requires static org.jspecify;
    requires java.desktop;
    requires org.jspdl.core;
    requires org.jspdl.media;
}
