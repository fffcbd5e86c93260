package org.jspdl.data.shards.tar;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The name of a file in a WebDataset: the sample it belongs to, and which field of it.
///
/// @param key    the path up to the first dot behind the last slash
/// @param suffix what follows that dot, in lower case
record TarName(String key, String suffix) {

    /// Takes a path apart; null for files that belong to no sample: those without a dot, and those called
    /// `__about__` with underscores before and behind, whatever they end with.
    static @Nullable TarName of(String path) {
        int slash = path.lastIndexOf('/');
        int dot = path.indexOf('.', slash + 1);
        if (dot < 0 || dot == slash + 1) {
            return null;
        }
        String key = path.substring(0, dot);
        boolean about = key.startsWith("__", slash + 1) && key.endsWith("__");
        return about ? null : new TarName(key, path.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
