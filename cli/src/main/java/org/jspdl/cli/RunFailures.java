package org.jspdl.cli;

import java.util.Set;
import org.jspdl.pipeline.PipelineException;

/// Says why a run failed, in the words of somebody who gave a folder of images.
final class RunFailures {
    /// Where a failure is that of one file; others, such as a missing shard, leave nothing to go on with.
    private static final Set<String> SKIPPABLE = Set.of("read", "decode");

    private RunFailures() {}

    static String explain(PipelineException failure) {
        Throwable cause = failure.getCause();
        String message = String.valueOf(failure.getMessage());
        String reason = cause == null ? null : cause.getMessage();
        return reason == null || failure.kind() == PipelineException.Kind.TOO_MANY_FAILURES
                ? message
                : SKIPPABLE.contains(failure.stage())
                        ? reason + " (--max-failures N skips up to N such files)"
                        : reason;
    }

    /// Without advice about options, for a plan, which has its own rules.
    static String reason(PipelineException failure) {
        String message = String.valueOf(failure.getMessage());
        Throwable cause = failure.getCause();
        String reason = cause == null ? null : cause.getMessage();
        return reason == null || message.contains(reason) ? message : message + ": " + reason;
    }
}
