package org.jspdl.data.shards.pack;

import java.io.IOException;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.source.Source;

/// What is packed: a sequence of samples that is the same whenever it is read. Safe for any thread.
///
/// @param <T> what the sequence consists of, such as numbers of files
public interface PackInput<T> {
    /// The sequence; its first epoch is packed.
    Source<T> source();

    /// The sample that `item` stands for, owned by the caller. Called by several threads at once.
    ///
    /// @param number its number in the sequence
    /// @return a sample whose key is empty, or its number in its shard, if it has no name of its own
    ShardSample read(T item, long number) throws IOException;

    /// Text that differs when the samples or their order differ, as far as that is known without reading them:
    /// another version of a file counts as another sample.
    ///
    /// @throws IOException if nothing can be learned of a file
    String identity() throws IOException;

    /// How many samples are worth reading at once.
    int readsAtOnce();
}
