package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;

/// How a checkpoint treats the state of a gatherer. Immutable.
///
/// @param <A> the gatherer's state
public sealed interface GathererState<A> {

    /// The state cannot be saved: a run with the gatherer cannot be checkpointed.
    static <A> GathererState<A> unsaved() {
        return new Unsaved<>();
    }

    /// Each emission leaves the state empty: what was emitted needs no earlier input. The gatherer must emit the
    /// same for the same inputs.
    static <A> GathererState<A> emptyAfterEmission() {
        return new EmptyAfterEmission<>();
    }

    /// The state is saved as text, after each emission and before the next input. A checkpoint holds the last state
    /// before which everything was delivered, and the states before undelivered emissions. The gatherer must emit
    /// the same for the same state and inputs.
    ///
    /// @param write the state as text, called on the stage's thread after each emission; the text should be small
    /// @param read  the state that `write` was given; it throws if the text is not what `write` makes
    static <A> GathererState<A> saved(Function<? super A, String> write, Function<String, ? extends A> read) {
        return new Saved<>(write, read, false);
    }

    /// As [#saved], for a state that is a rest: inputs, or parts of them, that wait to be emitted with later ones.
    /// Such a gatherer emits its rest at the end of an epoch, and may do so in the middle of one as well. So
    /// another number of ranks can take over there: what each rank's gatherer holds is emitted by one of them, and
    /// all begin anew.
    ///
    /// @param write the state as text, called on the stage's thread after each emission; the text should be small
    /// @param read  the state that `write` was given; it throws if the text is not what `write` makes
    static <A> GathererState<A> savedRest(Function<? super A, String> write, Function<String, ? extends A> read) {
        return new Saved<>(write, read, true);
    }

    /// See [#unsaved].
    record Unsaved<A>() implements GathererState<A> {}

    /// See [#emptyAfterEmission].
    record EmptyAfterEmission<A>() implements GathererState<A> {}

    /// See [#saved] and [#savedRest].
    ///
    /// @param write  the state as text
    /// @param read   the state from its text
    /// @param isRest whether it may be emitted in the middle of an epoch
    record Saved<A>(Function<? super A, String> write, Function<String, ? extends A> read, boolean isRest)
            implements GathererState<A> {
        /// Checks that both functions are given.
        public Saved {
            requireNonNull(write, "write");
            requireNonNull(read, "read");
        }
    }
}
