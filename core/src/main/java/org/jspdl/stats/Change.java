package org.jspdl.stats;

import java.time.Duration;

/// A change that was made while a run went on.
///
/// @param at    when, from the start of the run
/// @param stage where
/// @param what  `concurrency` or `buffer`
/// @param from  before
/// @param to    after
public record Change(Duration at, String stage, String what, int from, int to) {
    @Override
    public String toString() {
        return what + " of '" + stage + "' from " + from + " to " + to;
    }
}
