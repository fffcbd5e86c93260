package org.jspdl.source.internal;

/// Items that nobody will get.
public final class Items {
    private Items() {}

    /// Closes an item that can be closed.
    public static void close(Object item) throws Exception {
        if (item instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
