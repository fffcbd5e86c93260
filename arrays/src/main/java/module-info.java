/// Arrays, archives and WAV files as tensors, in Java alone.
@org.jspecify.annotations.NullMarked
module org.jspdl.arrays {
    requires static org.jspecify;
    requires transitive org.jspdl.core;

    exports org.jspdl.archive;
    exports org.jspdl.array;
    exports org.jspdl.wav;
}
