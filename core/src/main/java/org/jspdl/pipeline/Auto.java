package org.jspdl.pipeline;

import org.jspdl.internal.Arguments;

/// A number that the run's tuner chooses while the run works, between two limits: see [StageOptions#auto].
///
/// @param least the least it chooses
/// @param most  the most it chooses; 0 for what suits the stage: as many workers as processors for `cpu`, [#MOST_IO]
///     for `io`, [#MOST_BUFFER] items for a buffer
/// @param start what it begins with; 0 for what suits the stage: as many workers as processors, and
///     [StageOptions#DEFAULT_BUFFER] items
public record Auto(int least, int most, int start) {
    /// The most workers of an `io` stage, unless another limit is given.
    public static final int MOST_IO = 256;
    /// The most items in a buffer, unless another limit is given.
    public static final int MOST_BUFFER = 256;

    /// Any number.
    static final Auto ANY = new Auto(1, 0, 0);

    /// Checks the numbers.
    public Auto {
        Arguments.inRange("least", least, StageOptions.MAX_CONCURRENCY);
        if (most != 0 && (most < least || most > StageOptions.MAX_CONCURRENCY)) {
            throw new IllegalArgumentException("most must be at least " + least + ", the least, and at most "
                    + StageOptions.MAX_CONCURRENCY + " but was " + most);
        }
        if (start != 0 && (start < least || (most != 0 && start > most))) {
            throw new IllegalArgumentException("start must be between " + least + " and "
                    + (most == 0 ? StageOptions.MAX_CONCURRENCY : most) + " but was " + start);
        }
    }

    /// The same with at least `n`.
    public Auto atLeast(int n) {
        return new Auto(n, most, start);
    }

    /// The same with at most `n`.
    public Auto atMost(int n) {
        return new Auto(least, Arguments.inRange("most", n, StageOptions.MAX_CONCURRENCY), start);
    }

    /// The same, beginning with `n`.
    public Auto startingAt(int n) {
        return new Auto(least, most, Arguments.inRange("start", n, StageOptions.MAX_CONCURRENCY));
    }

    /// The most, where `usual` suits the stage.
    int most(int usual) {
        return most == 0 ? Math.max(least, usual) : most;
    }

    /// Where it begins, where `usual` suits the stage.
    int start(int usual, int usualMost) {
        return start == 0 ? Math.clamp(usual, least, most(usualMost)) : start;
    }
}
