package org.jspdl.pipeline.internal.recipe;

import java.util.ArrayList;
import java.util.List;

/// Lets one element of each batch through a route, in its place; the others are closed.
final class SingleElement {
    /// Stands in the places of the others.
    private static final Object OTHER = new Object();

    private SingleElement() {}

    /// A route of elements through which only the one at `index` goes.
    static Recipe.Route of(Recipe.Route route, int index) {
        List<Recipe.Branch> branches = new ArrayList<>();
        for (Recipe.Branch branch : route.branches()) {
            branches.add(new Recipe.Branch(
                    branch.label(),
                    (key, value) -> value != OTHER && branch.accepts().test(key, value),
                    branch.chain()));
        }
        Recipe.FusedStep none = new Recipe.FusedStep.Filter(value -> false);
        branches.add(new Recipe.Branch(
                "others",
                (key, value) -> value == OTHER,
                new Recipe.Fused(new Recipe.Entry(route.site()), none, route.site())));
        Recipe.FusedStep alone = new Recipe.FusedStep.Map(batch -> alone((List<?>) batch, index));
        return new Recipe.Route(
                new Recipe.Fused(route.before(), alone, route.site()),
                route.name(),
                value -> value == OTHER ? OTHER : route.key().apply(value),
                List.copyOf(branches),
                true,
                route.site());
    }

    private static List<Object> alone(List<?> batch, int index) throws Exception {
        List<Object> list = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            Object element = batch.get(i);
            if (i != index && element instanceof AutoCloseable closeable) {
                closeable.close();
            }
            list.add(i == index ? element : OTHER);
        }
        return list;
    }
}
