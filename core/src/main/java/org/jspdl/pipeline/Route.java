package org.jspdl.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspdl.pipeline.internal.recipe.Recipe;

/// A router without ways yet: the first `when` gives the result its type. Immutable.
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

    /// A router with ways: each is tried in the order in which it was added.
    public static final class Routed<T, K, R> {
        private final Route<T, K> route;
        private final List<Recipe.Branch> ways;

        private Routed(Route<T, K> route, List<Recipe.Branch> ways) {
            this.route = route;
            this.ways = ways;
        }

        /// Items of this key go through `chain`.
        public Routed<T, K, R> when(K wanted, Function<Pipeline<T>, Pipeline<R>> chain) {
            return with(wanted.toString(), (key, item) -> Objects.equals(key, wanted), chain.apply(Pipeline.entry()));
        }

        /// Items of this class, whatever their key, go through `chain`.
        public <S extends T> Routed<T, K, R> when(Class<S> type, Function<Pipeline<S>, Pipeline<R>> chain) {
            return with(type.getSimpleName(), (key, item) -> type.isInstance(item), chain.apply(Pipeline.entry()));
        }

        /// All other items go through `chain`.
        public Routed<T, K, R> otherwise(Function<Pipeline<T>, Pipeline<R>> chain) {
            return with("otherwise", (key, item) -> true, chain.apply(Pipeline.entry()));
        }

        private Routed<T, K, R> with(String label, BiPredicate<Object, Object> accepts, Pipeline<R> chain) {
            List<Recipe.Branch> more = new ArrayList<>(ways);
            more.add(new Recipe.Branch(label, accepts, chain.recipe()));
            return new Routed<>(route, List.copyOf(more));
        }

        /// The results of all ways, in the order in which they arrive. An item that no way takes fails the run.
        public Pipeline<R> merge() {
            return route.input.then(recipe());
        }

        @SuppressWarnings("unchecked")
        private Recipe.Route recipe() {
            return new Recipe.Route(
                    route.input.recipe(),
                    route.name,
                    (StageFunction<Object, Object>) (StageFunction<?, ?>) route.key,
                    ways,
                    false,
                    Recipe.Site.capture());
        }
    }
}
