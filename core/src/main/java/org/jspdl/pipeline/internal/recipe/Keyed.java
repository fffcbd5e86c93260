package org.jspdl.pipeline.internal.recipe;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.StageFunction;

/// An item with the key that an asynchronous function has found, until the route that takes it by that key.
///
/// It is a collection of the item alone, so that whoever drops it closes the item.
public final class Keyed extends AbstractCollection<Object> {
    /// The key function of a route to which items come with their keys.
    public static final StageFunction<Object, Object> KEY = value -> ((Keyed) value).key;

    private final Object item;
    private final Object key;

    public Keyed(Object item, Object key) {
        this.item = item;
        this.key = key;
    }

    /// What goes on behind a route.
    public static Object unwrapped(Object routed) {
        return routed instanceof Keyed keyed ? keyed.item : routed;
    }

    @Override
    public Iterator<Object> iterator() {
        return List.of(item).iterator();
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public String toString() {
        return item.toString();
    }
}
