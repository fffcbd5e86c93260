package org.jspdl.leakcheck;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Reports what the sample tests put on a shelf. Static because `ServiceLoader` makes the instance.
public final class ShelfProbe implements LeakProbe {
    static final List<String> SHELF = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
        return "shelves";
    }

    @Override
    public List<String> leaks() {
        return SHELF;
    }
}
