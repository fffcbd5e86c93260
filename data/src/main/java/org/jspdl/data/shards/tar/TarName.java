package org.jspdl.data.shards.tar;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The name of a file in a WebDataset: the sample it belongs to, and which field of it.
///
/// @param key    the path up to the first dot behind the last slash
/// @param suffix what follows that dot, in lower case
record TarName(String key, String suffix) {

    /// Takes a path apart; null for files that belong to no sample: those without a dot, and `__names__` with
    /// underscores.
    static @Nullable TarName of(String path) {
        int slash = path.lastIndexOf('/');
        int dot = path.indexOf('.', slash + 1);
        boolean about = path.startsWith("__", slash + 1);
        if (dot < 0 || dot == slash + 1 || about) {
            return null;
        }
        return new TarName(path.substring(0, dot), path.substring(dot + 1).toLowerCase(Locale.ROOT));
    }
}
