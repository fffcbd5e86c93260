package org.jspdl.pipeline.internal;

import java.util.ArrayList;
import java.util.List;

/// What of a recipe must be the same for a checkpoint to fit: source, structure, names and batch sizes, a line for each
/// step. Not concurrency, placement, buffers or ranks.
final class Fingerprint {
    private Fingerprint() {}

    static List<String> of(Recipe recipe) {
        List<String> lines = new ArrayList<>();
        add(recipe, lines);
        return lines;
    }

    private static void add(Recipe recipe, List<String> lines) {
        recipe.inputs().forEach(input -> add(input, lines));
        lines.add(recipe.signature());
    }

    /// The first step in which two recipes differ, in words.
    static String difference(List<String> then, List<String> now) {
        for (int step = 0; step < Math.max(then.size(), now.size()); step++) {
            String before = step < then.size() ? then.get(step) : "nothing";
            String after = step < now.size() ? now.get(step) : "nothing";
            if (!before.equals(after)) {
                return "step " + (step + 1) + " was " + before + " and is " + after;
            }
        }
        return "there is no difference";
    }
}
