package org.jspdl.python;

import java.io.IOException;
import java.nio.file.Path;
import org.jspdl.observe.Trace;
import org.jspdl.pipeline.RunOptions;

/// The trace of one generation, and the file that it goes to.
///
/// Its times are those of `CLOCK_MONOTONIC`, as are those of Python's `time.monotonic_ns()`.
record Tracing(Trace trace, Path file) {
    /// As many as can be written in the time that a loader has to end.
    private static final long MOST_SPANS = 100_000;

    /// A trace for `file`, with a number before its ending if it is not the first.
    static Tracing into(Path file, long generation) {
        String name = file.toString();
        int ending = name.endsWith(".json") ? name.length() - ".json".length() : name.length();
        String numbered = name.substring(0, ending) + "-" + (generation + 1) + name.substring(ending);
        return new Tracing(Trace.upTo(MOST_SPANS), generation == 0 ? file : Path.of(numbered));
    }

    RunOptions on(RunOptions options) {
        return trace.on(options);
    }

    /// Writes the file, when the run has ended. A failure is said and harms nothing.
    void write() {
        try {
            trace.write(file);
        } catch (IOException failure) {
            System.err.println("jspdl: the trace could not be written: " + failure);
        }
    }
}
