package org.jspdl.pipeline;

import org.jspdl.internal.Arguments;

/// A change of a run that goes on, for [Run#tune].
public sealed interface Tuning {
    /// The stage that changes, or behind which something changes.
    String stage();

    /// How many calls of a stage's function run at once. More begin at once; fewer, as calls end.
    static Tuning concurrency(String stage, int calls) {
        return new Concurrency(stage, calls);
    }

    /// How many finished items may wait behind a stage, beyond one for each running function. What waits already is
    /// never dropped.
    static Tuning buffer(String stage, int items) {
        return new Buffer(stage, items);
    }

    /// See [Tuning#concurrency].
    record Concurrency(String stage, int calls) implements Tuning {
        /// Checks the number.
        public Concurrency {
            Arguments.atLeastOne("concurrency", calls);
        }
    }

    /// See [Tuning#buffer].
    record Buffer(String stage, int items) implements Tuning {
        /// Checks the number.
        public Buffer {
            if (items < 1) {
                throw new IllegalArgumentException("buffer must hold at least 1 item but was " + items);
            }
        }
    }
}
