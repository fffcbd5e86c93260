package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// Chooses from which of several pipelines the next item comes: for [Pipeline#merge(String, MergePolicy, Pipeline...)].
/// Immutable.
///
/// A choice may look at the next item of each pipeline, at what was taken so far, and at a state of its own. It should
/// follow from these alone: then the order of the items does not depend on threads, and a run that is resumed goes on
/// with it. A pipeline that is chosen and has come to the end of its epoch is passed over for the next that has not.
///
/// What a choice throws fails the item that it has inspected last, as the failure policy says; if it has inspected
/// none, it ends the run.
///
/// ```java
/// MergePolicy<Sample> byTime = MergePolicy.of(inputs -> {
///     int earliest = MergePolicy.END;
///     for (int i = 0; i < inputs.count(); i++) {
///         if (inputs.hasNext(i) && (earliest < 0 || inputs.peek(i).time() < inputs.peek(earliest).time())) {
///             earliest = i;
///         }
///     }
///     return earliest;
/// });
/// ```
///
/// @param <T> the type of the items
@SuppressWarnings("UnusedTypeParameter") // it ties a policy to the items that it may look at
public final class MergePolicy<T> {
    /// The choice that ends the epoch: what is left of it in the pipelines is not read.
    public static final int END = -1;

    private final Recipe.MergePolicy.Chosen recipe;

    private MergePolicy(Recipe.MergePolicy.Chosen recipe) {
        this.recipe = recipe;
    }

    /// A choice without a state.
    @FunctionalInterface
    public interface Choice<T> {
        /// The number of the pipeline that the next item comes from, or [MergePolicy#END].
        int next(MergeInputs<T> inputs) throws Exception;
    }

    /// A choice with a state.
    @FunctionalInterface
    public interface StatefulChoice<T, S> {
        /// The number of the pipeline that the next item comes from, or [MergePolicy#END]. It may change
        /// `state`; if it throws, it should leave it as it was.
        int next(S state, MergeInputs<T> inputs) throws Exception;
    }

    /// Chooses without a state of its own.
    public static <T> MergePolicy<T> of(Choice<T> choice) {
        requireNonNull(choice, "choice");
        return new MergePolicy<>(new Recipe.MergePolicy.Chosen(
                () -> "", (_, inputs) -> choice.next(typed(inputs)), GathererState.emptyAfterEmission()));
    }

    /// Chooses with a state that is not saved: a run with it cannot be checkpointed.
    ///
    /// @param start makes the state at the start of each epoch
    public static <T, S> MergePolicy<T> stateful(Supplier<? extends S> start, StatefulChoice<T, S> choice) {
        return stateful(start, choice, GathererState.unsaved());
    }

    /// Chooses with a state that is saved as text after each choice.
    ///
    /// @param start makes the state at the start of each epoch
    /// @param write the state as text, called on the stage's thread for each item; the text should be small
    /// @param read  the state that `write` was given; it throws if the text is not what `write` makes
    public static <T, S> MergePolicy<T> stateful(
            Supplier<? extends S> start,
            StatefulChoice<T, S> choice,
            Function<? super S, String> write,
            Function<String, ? extends S> read) {
        return stateful(start, choice, GathererState.<S>saved(write, read));
    }

    @SuppressWarnings("unchecked") // the compiler checked the state's type where the policy was given
    private static <T, S> MergePolicy<T> stateful(
            Supplier<? extends S> start, StatefulChoice<T, S> choice, GathererState<S> saving) {
        requireNonNull(choice, "choice");
        return new MergePolicy<>(new Recipe.MergePolicy.Chosen(
                (Supplier<Object>) requireNonNull(start, "start"),
                (state, inputs) -> choice.next((S) state, typed(inputs)),
                saving));
    }

    /// The compiler checked the pipelines' types where they were given.
    @SuppressWarnings("unchecked")
    private static <T> MergeInputs<T> typed(MergeInputs<Object> inputs) {
        return (MergeInputs<T>) inputs;
    }

    Recipe.MergePolicy recipe() {
        return recipe;
    }
}
