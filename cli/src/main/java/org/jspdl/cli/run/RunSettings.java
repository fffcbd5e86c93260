package org.jspdl.cli.run;

import java.util.Locale;
import org.jspdl.data.image.ImageLoaderOptions;

/// What `jspdl run` was asked for. Immutable.
///
/// @param picture what each image becomes, as it was typed
/// @param loading the same for the loader, with all else that it is told
/// @param epochs  passes over the dataset
public record RunSettings(PictureSettings picture, ImageLoaderOptions loading, long epochs) {

    /// The name of a constant as it is typed and printed.
    static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
