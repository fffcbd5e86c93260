package org.jspdl.cli;

import org.jspdl.pipeline.PipelineException;

/// Says why a run failed, in the words of somebody who gave a folder of images.
final class RunFailures {
    private RunFailures() {}

    static String explain(PipelineException failure) {
        Throwable cause = failure.getCause();
        String message = String.valueOf(failure.getMessage());
        String reason = cause == null ? null : cause.getMessage();
        return reason == null || message.contains("stopped pipeline")
                ? message
                : reason + " (--max-failures N skips up to N such files)";
    }

    /// Without advice about options, for a plan, which has its own rules.
    static String reason(PipelineException failure) {
        String message = String.valueOf(failure.getMessage());
        Throwable cause = failure.getCause();
        String reason = cause == null ? null : cause.getMessage();
        return reason == null || message.contains(reason) ? message : message + ": " + reason;
    }
}
