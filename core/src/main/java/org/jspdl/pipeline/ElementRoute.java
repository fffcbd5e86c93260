package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// A router of the elements of batches: each element goes through the sub-chain of its key and keeps its
/// position. Immutable.
///
/// Sub-chains work one-to-one: `pipe`, `map` and `filter`. An element that is filtered or skipped leaves no gap;
/// batches keep their order.
public final class ElementRoute<E, R> {
    private final Pipeline<? extends List<? extends E>> input;
    private final String name;
    private final StageFunction<? super E, ?> key;
    private final List<Recipe.Branch> branches;

    ElementRoute(
            Pipeline<? extends List<? extends E>> input,
            String name,
            StageFunction<? super E, ?> key,
            List<Recipe.Branch> branches) {
        this.input = input;
        this.name = name;
        this.key = key;
        this.branches = branches;
    }

    /// Elements of this key go through `chain`.
    public ElementRoute<E, R> when(Object wanted, Function<Pipeline<E>, Pipeline<R>> chain) {
        requireNonNull(wanted, "wanted");
        return with(wanted.toString(), (found, element) -> Objects.equals(found, wanted), chain);
    }

    /// All other elements go through `chain`.
    public ElementRoute<E, R> otherwise(Function<Pipeline<E>, Pipeline<R>> chain) {
        return with(Branches.OTHERWISE, (found, element) -> true, chain);
    }

    private ElementRoute<E, R> with(
            String label, BiPredicate<Object, Object> accepts, Function<Pipeline<E>, Pipeline<R>> chain) {
        List<Recipe.Branch> more = Branches.add(name, branches, label, accepts, chain);
        checkOneToOne(label, more.getLast().chain());
        return new ElementRoute<>(input, name, key, more);
    }

    private static void checkOneToOne(String label, Recipe recipe) {
        switch (recipe) {
            case Recipe.Pipe pipe -> checkOneToOne(label, pipe.before());
            case Recipe.Fused fused -> checkOneToOne(label, fused.before());
            case Recipe.Entry _ -> {}
            case Recipe.From _,
                    Recipe.FlatMap _,
                    Recipe.Batch _,
                    Recipe.Unbatch _,
                    Recipe.Aggregate _,
                    Recipe.Epochs _,
                    Recipe.Merge _,
                    Recipe.Route _ ->
                throw new IllegalArgumentException(
                        "branch '" + label + "' of a batch's elements must be one-to-one, but it has '"
                                + recipe.signature() + "' (added at " + recipe.site() + ")");
        }
    }

    /// The batches, with their elements processed.
    @SuppressWarnings("unchecked")
    public Pipeline<List<R>> merge() {
        return input.then(new Recipe.Route(
                input.recipe(),
                name,
                (StageFunction<Object, Object>) (StageFunction<?, ?>) key,
                branches,
                true,
                Recipe.Site.capture()));
    }
}
