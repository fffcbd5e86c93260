/// Images, audio and video as tensors, usable with and without a pipeline.
@org.jspecify.annotations.NullMarked
module org.jspdl.media {
    requires static org.jspecify;
    requires jdk.jfr;
    requires transitive org.jspdl.arrays;
    requires transitive org.jspdl.core;

    exports org.jspdl.media;
    exports org.jspdl.media.audio;
    exports org.jspdl.media.encode;
    exports org.jspdl.media.frame;
    exports org.jspdl.media.image;
    exports org.jspdl.media.stream;
    exports org.jspdl.media.video;
}
