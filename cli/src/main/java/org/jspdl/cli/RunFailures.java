package org.jspdl.cli;

import org.jspdl.pipeline.PipelineException;

/// Says why a run failed, in the words of somebody who gave a folder of images.
final class RunFailures {
    private RunFailures() {}

    static String explain(PipelineException failure) {
        Throwable cause = failure.getCause();
        boolean oneFile = cause != null
                && cause.getMessage() != null
                && !String.valueOf(failure.getMessage()).contains("stopped pipeline");
        return oneFile
                ? cause.getMessage() + " (--max-failures N skips up to N such files)"
                : String.valueOf(failure.getMessage());
    }
}
