package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// The branches of a route, in the order in which they are tried.
final class Branches {
    static final String OTHERWISE = "otherwise";

    private Branches() {}

    /// `branches` and one more, which must not be unreachable.
    ///
    /// @param label the key or type that the branch takes
    static <S, R> List<Recipe.Branch> add(
            String route,
            List<Recipe.Branch> branches,
            String label,
            BiPredicate<Object, Object> accepts,
            Function<Pipeline<S>, Pipeline<R>> chain) {
        requireNonNull(chain, "chain");
        for (Recipe.Branch branch : branches) {
            if (branch.label().equals(label) || branch.label().equals(OTHERWISE)) {
                throw new IllegalArgumentException("route '" + route + "': no item reaches the branch '" + label
                        + "' behind the branch '" + branch.label() + "'");
            }
        }
        Pipeline<S> entry = Pipeline.entry();
        Pipeline<R> steps = requireNonNull(chain.apply(entry), "what the chain of '" + label + "' returned");
        Recipe first = Recipe.chain(steps.recipe()).getFirst();
        while (first instanceof Recipe.Merge merge && merge.policy() instanceof Recipe.MergePolicy.First) {
            first = Recipe.chain(merge.inputs().getFirst()).getFirst();
        }
        if (first != entry.recipe()) {
            throw new IllegalArgumentException("route '" + route + "': the chain of the branch '" + label
                    + "' must begin with the pipeline that it is given, but it begins with '"
                    + first.signature() + "' (added at "
                    + first.site()
                    + "); merge other sources behind the route");
        }
        List<Recipe.Branch> more = new ArrayList<>(branches);
        more.add(new Recipe.Branch(label, accepts, steps.recipe()));
        return List.copyOf(more);
    }
}
