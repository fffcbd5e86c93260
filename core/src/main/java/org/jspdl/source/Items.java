package org.jspdl.source;

/// Items that nobody will get.
final class Items {
    private Items() {}

    /// Closes an item that can be closed.
    static void close(Object item) throws Exception {
        if (item instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
