package org.jspdl.pipeline;

import java.time.Instant;
import org.jspdl.source.Position;

/// One item that a failure policy skipped, with what is needed to look at it again.
///
/// @param time     when it failed
/// @param pipeline the pipeline's name
/// @param stage    the stage whose function threw
/// @param epoch    the epoch of the source
/// @param position the place in the epoch from which a source yields the item (for a group, its first item)
/// @param input    a description of the stage's input: its `toString`, shortened
/// @param cause    what the function threw
public record FailedItem(
        Instant time, String pipeline, String stage, long epoch, Position position, String input, Throwable cause) {}
