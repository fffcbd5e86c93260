package org.jspdl.source;

import java.io.IOException;

/// A source that can be asked how many items it has even where that takes reading it.
public interface CountableSource<T> extends Source<T> {
    /// How many items an epoch has. May take as long as reading them all; later calls are quick. Safe for any
    /// thread.
    long count() throws IOException;

    /// What tells the items that are read from others of the same shard; part of the identity of a stream of such
    /// shards, for people too. Empty if all are read.
    default String selection() {
        return "";
    }
}
