package org.jspdl.data.dataset;

import java.util.Locale;
import java.util.Set;

/// Which files of a folder are samples, as told by the endings of their names.
public enum FileKind {
    /// Those called as images are (`.jpg`, `.png` and the like), whatever they hold; and on a local disk those
    /// whose names have no ending but which begin as images do. Others are left out and counted.
    IMAGE,
    /// Every file, but for what operating systems leave in folders, such as `Thumbs.db`, which is left out and
    /// counted.
    ANY;

    private static final Set<String> IMAGES = Set.of(
            "jpg", "jpeg", "jpe", "jfif", "png", "webp", "bmp", "dib", "gif", "tif", "tiff", "avif", "ppm", "pgm",
            "pbm", "pnm", "heic", "heif", "jp2", "jxl");
    private static final Set<String> OTHER_MEDIA =
            Set.of("wav", "flac", "mp3", "ogg", "opus", "m4a", "mp4", "mkv", "webm", "avi", "mov", "npy", "npz");
    private static final Set<String> LITTER = Set.of("thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r");

    /// What a name alone says of a file.
    enum Verdict {
        /// It is a sample.
        SAMPLE,
        /// It is no sample, unless it is a folder.
        LEFT_OUT,
        /// It is a sample unless it is a folder.
        SAMPLE_OR_FOLDER,
        /// Its content says whether it is a sample.
        BY_CONTENT
    }

    /// Judges a name without folders before it.
    Verdict judge(String name) {
        String ending = ending(name);
        if (IMAGES.contains(ending)) {
            return Verdict.SAMPLE;
        }
        if (this == ANY) {
            return OTHER_MEDIA.contains(ending)
                    ? Verdict.SAMPLE
                    : LITTER.contains(name.toLowerCase(Locale.ROOT)) ? Verdict.LEFT_OUT : Verdict.SAMPLE_OR_FOLDER;
        }
        return ending.isEmpty() ? Verdict.BY_CONTENT : Verdict.LEFT_OUT;
    }

    /// Whether a file of this name is a sample, whatever it holds.
    public boolean isCalledAsSample(String name) {
        return judge(name.substring(name.lastIndexOf('/') + 1)) == Verdict.SAMPLE;
    }

    /// What follows the last dot of a name, in lower case; empty without one.
    static String ending(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }
}
