package org.jspdl.pipeline;

/// A run has failed.
///
/// The message names the pipeline, the stage and the source position. The cause is the first failure; failures that
/// came after it are suppressed exceptions.
public final class PipelineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The stage that failed.
    private final String stage;

    /// A failure that the engine itself found at `stage`.
    public PipelineException(String stage, String message) {
        super(message);
        this.stage = stage;
    }

    /// A failure of `stage`.
    public PipelineException(String stage, String message, Throwable cause) {
        super(message, cause);
        this.stage = stage;
    }

    /// The stage that failed; empty if it was not a stage.
    public String stage() {
        return stage;
    }
}
