package org.jspdl.pipeline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the steps of a pipeline that make one item of one have made of some places of an epoch.
///
/// @param items    in the order of the places that were asked for; null where one failed; the caller owns them
/// @param failures what failed, by its number in `items`
public record Excerpt(List<@Nullable Object> items, Map<Integer, FailedItem> failures) {
    /// Makes both unmodifiable.
    public Excerpt {
        items = Collections.unmodifiableList(new ArrayList<>(items));
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    }
}
