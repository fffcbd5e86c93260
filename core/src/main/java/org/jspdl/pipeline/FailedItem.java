package org.jspdl.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import org.jspdl.pipeline.internal.checkpoint.FailedItemJson;
import org.jspdl.source.Position;

/// One item that a failure policy skipped, with what is needed to look at it again.
///
/// @param time     when it failed
/// @param pipeline the pipeline's name
/// @param stage    the stage whose function threw
/// @param places   where sources yield what the item was made from: one place, or those of a group's members in
///     their order, each once
/// @param groups   what it takes to form the groups again that the item was made from, as JSON that only
///     [Pipelines#replay] reads; empty if it was made from one place
/// @param element  of an element of a batch that failed in a sub-chain, its place in the batch
/// @param input    a description of the stage's input: its `toString`, shortened
/// @param cause    what the function threw; for an item read from a file, a [Recorded]
public record FailedItem(
        Instant time,
        String pipeline,
        String stage,
        List<Place> places,
        String groups,
        OptionalInt element,
        String input,
        Throwable cause) {

    /// Where a source yields an item.
    ///
    /// @param source   the source's number, in the order in which the recipe names them
    /// @param epoch    the epoch
    /// @param position the place in the epoch
    public record Place(int source, long epoch, Position position) {}

    /// A failure that was read from a file: its class and message as text.
    public static final class Recorded extends Exception {
        private static final long serialVersionUID = 1L;

        Recorded(String text) {
            super(text, null, false, false);
        }
    }

    /// The epoch of the source; for a group, of its first member.
    public long epoch() {
        return places.getFirst().epoch();
    }

    /// The place in the epoch; for a group, of its first member.
    public Position position() {
        return places.getFirst().position();
    }

    /// The item as one line of JSON.
    public String toJson() {
        return FailedItemJson.write(this);
    }

    /// Reads what [#toJson] wrote.
    ///
    /// @throws IllegalArgumentException if `line` is something else
    public static FailedItem parse(String line) {
        return FailedItemJson.read(line, Recorded::new);
    }
}
