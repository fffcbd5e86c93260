/// Image decoding into tensor rows through native codecs, usable with and without a pipeline.
@org.jspecify.annotations.NullMarked
module org.jspdl.media {
    requires static org.jspecify;
    requires transitive org.jspdl.core;

    exports org.jspdl.media.image;
}
