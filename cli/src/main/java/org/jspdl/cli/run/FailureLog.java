package org.jspdl.cli.run;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.input.InputException;
import org.jspdl.pipeline.FailedItem;

/// The files that were skipped, in the order in which they failed. Thread-safe.
public final class FailureLog {
    /// More are counted but not kept.
    static final int KEPT = 1_000;

    private final List<Failure> kept = new ArrayList<>();
    private long count;

    /// One skipped file.
    public record Failure(String path, String reason) {}

    synchronized void add(FailedItem item) {
        count++;
        if (kept.size() < KEPT) {
            kept.add(
                    item.cause() instanceof InputException input
                            ? new Failure(input.source().orElse(item.input()), input.reason())
                            : new Failure(item.input(), String.valueOf(item.cause())));
        }
    }

    synchronized long count() {
        return count;
    }

    synchronized List<Failure> kept() {
        return List.copyOf(kept);
    }
}
