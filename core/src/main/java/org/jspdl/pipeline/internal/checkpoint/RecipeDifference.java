package org.jspdl.pipeline.internal.checkpoint;

import java.util.List;

/// Compares the recipe of a checkpoint with another, by their fingerprints.
public final class RecipeDifference {
    private RecipeDifference() {}

    /// The first step in which two recipes differ, in words.
    public static String between(List<String> then, List<String> now) {
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
