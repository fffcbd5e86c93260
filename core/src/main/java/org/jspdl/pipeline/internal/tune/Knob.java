package org.jspdl.pipeline.internal.tune;

import java.util.Objects;
import org.jspdl.pipeline.Tuning;
import org.jspdl.stats.model.PipelineModel;

/// One number that a tuner may change.
///
/// @param stage where
/// @param kind  what
/// @param least the least value
/// @param most  the most
/// @param start the value at the start of the run
public record Knob(String stage, Kind kind, int least, int most, int start) {
    /// What changes.
    public enum Kind {
        CONCURRENCY,
        BUFFER
    }

    // Written out, since each run hashes knobs at its start: the method that a record gets is made at run time.
    @Override
    public int hashCode() {
        return Objects.hash(stage, kind);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Knob that
                && stage.equals(that.stage)
                && kind == that.kind
                && least == that.least
                && most == that.most
                && start == that.start;
    }

    /// The change that gives it this value.
    Tuning to(int value) {
        return switch (kind) {
            case CONCURRENCY -> Tuning.concurrency(stage, value);
            case BUFFER -> Tuning.buffer(stage, value);
        };
    }

    /// `model` with `more` than it was measured with.
    PipelineModel apply(PipelineModel model, int more) {
        return model.with(stage, each -> switch (kind) {
            case CONCURRENCY -> each.moreWorkers(more);
            case BUFFER -> each.largerBuffer(more);
        });
    }

    /// What changes, as [org.jspdl.stats.Change] calls it.
    String what() {
        return switch (kind) {
            case CONCURRENCY -> "concurrency";
            case BUFFER -> "buffer";
        };
    }
}
