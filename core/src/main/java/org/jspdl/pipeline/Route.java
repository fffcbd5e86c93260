package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// A router without branches: the first `when` gives the result its type. Immutable.
public final class Route<T, K> {
    private final Pipeline<T> input;
    private final String name;
    private final StageFunction<? super T, ? extends K> key;

    Route(Pipeline<T> input, String name, StageFunction<? super T, ? extends K> key) {
        this.input = input;
        this.name = name;
        this.key = key;
    }

    /// Items of this key go through `chain`.
    public <R> Routed<T, K, R> when(K wanted, Function<Pipeline<T>, Pipeline<R>> chain) {
        return new Routed<T, K, R>(this, List.of()).when(wanted, chain);
    }

    /// Items of this class, whatever their key, go through `chain`.
    public <S extends T, R> Routed<T, K, R> when(Class<S> type, Function<Pipeline<S>, Pipeline<R>> chain) {
        return new Routed<T, K, R>(this, List.of()).when(type, chain);
    }

    /// A router with branches. Each is tried in the order in which it was added.
    public static final class Routed<T, K, R> {
        private final Route<T, K> route;
        private final List<Recipe.Branch> branches;

        private Routed(Route<T, K> route, List<Recipe.Branch> branches) {
            this.route = route;
            this.branches = branches;
        }

        /// Items of this key go through `chain`.
        public Routed<T, K, R> when(K wanted, Function<Pipeline<T>, Pipeline<R>> chain) {
            requireNonNull(wanted, "wanted");
            return with(wanted.toString(), (key, item) -> Objects.equals(key, wanted), chain);
        }

        /// Items of this class, whatever their key, go through `chain`.
        public <S extends T> Routed<T, K, R> when(Class<S> type, Function<Pipeline<S>, Pipeline<R>> chain) {
            requireNonNull(type, "type");
            return with(type.getSimpleName(), (key, item) -> type.isInstance(item), chain);
        }

        /// All other items go through `chain`.
        public Routed<T, K, R> otherwise(Function<Pipeline<T>, Pipeline<R>> chain) {
            return with(Branches.OTHERWISE, (key, item) -> true, chain);
        }

        private <S> Routed<T, K, R> with(
                String label, BiPredicate<Object, Object> accepts, Function<Pipeline<S>, Pipeline<R>> chain) {
            return new Routed<>(route, Branches.add(route.name, branches, label, accepts, chain));
        }

        /// The results of all branches, in the order in which they arrive. An item that no branch takes fails
        /// the run.
        public Pipeline<R> merge() {
            return route.input.then(recipe());
        }

        @SuppressWarnings("unchecked")
        private Recipe.Route recipe() {
            return new Recipe.Route(
                    route.input.recipe(),
                    route.name,
                    (StageFunction<Object, Object>) (StageFunction<?, ?>) route.key,
                    branches,
                    false,
                    Recipe.Site.capture());
        }
    }
}
