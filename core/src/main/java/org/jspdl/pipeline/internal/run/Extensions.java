package org.jspdl.pipeline.internal.run;

import java.util.ServiceLoader;
import org.jspdl.pipeline.RunExtension;
import org.jspdl.pipeline.RunOptions;

/// What is added to every run of the process.
final class Extensions {
    private Extensions() {}

    /// `options` with what extensions add, if they are asked for.
    static RunOptions of(RunOptions options) {
        if (System.getProperty("jspdl.profile") == null && System.getenv("JSPDL_PROFILE") == null) {
            return options;
        }
        RunOptions extended = options;
        for (RunExtension each : ServiceLoader.load(RunExtension.class, RunExtension.class.getClassLoader())) {
            extended = each.extended(extended);
        }
        return extended;
    }
}
