package org.jspdl.pipeline;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run has failed.
///
/// The message names the pipeline, the stage and the source position. The cause is the first failure; later failures
/// are suppressed exceptions.
public final class PipelineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The stage that failed.
    private final String stage;

    /// What ended the run.
    private final Kind kind;

    private final transient Optional<FailedItem.Place> place;

    /// What ended a run.
    public enum Kind {
        /// A source failed.
        SOURCE,
        /// A stage's function failed, and its policy does not skip the item.
        FUNCTION,
        /// More items failed than the policy allows.
        TOO_MANY_FAILURES,
        /// No branch of a route takes the item's key.
        NO_BRANCH,
        /// More calls than allowed continue after their deadline.
        DEADLINE,
        /// A stage did not stop within the grace period.
        UNRESPONSIVE,
        /// The consumer was interrupted while it waited.
        INTERRUPTED,
        /// Something around the functions failed: an observer, a hook, an executor, a quarantine, a background
        /// task.
        ENVIRONMENT
    }

    /// A failure around the functions of `stage`.
    public PipelineException(String stage, String message, @Nullable Throwable cause) {
        this(stage, Kind.ENVIRONMENT, Optional.empty(), message, cause);
    }

    /// A failure of `stage`.
    ///
    /// @param stage the stage that failed; empty if it was not a stage
    /// @param place where a source yields the item that failed; of a group, its first member
    public PipelineException(
            String stage, Kind kind, Optional<FailedItem.Place> place, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.stage = stage;
        this.kind = kind;
        this.place = place;
    }

    /// The stage that failed; empty if it was not a stage.
    public String stage() {
        return stage;
    }

    /// What ended the run.
    public Kind kind() {
        return kind;
    }

    /// Where a source yields the item that failed; empty if no single item did, or after deserialization.
    @SuppressWarnings("OptionalAssignedToNull") // transient
    public Optional<FailedItem.Place> place() {
        return place == null ? Optional.empty() : place;
    }
}
