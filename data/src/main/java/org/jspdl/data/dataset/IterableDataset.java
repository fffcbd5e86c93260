package org.jspdl.data.dataset;

import java.util.Iterator;
import org.jspdl.source.Source;

/// Items that come one after the other, such as the lines of a log.
///
/// ```java
/// IterableDataset<String> log = epoch -> Files.lines(path).iterator();
/// ```
@FunctionalInterface
public interface IterableDataset<T> {
    /// The items of an epoch; closed at the end if it is `AutoCloseable`.
    ///
    /// @param epoch counted from 0; the same epoch yields the same items each time
    Iterator<T> open(long epoch) throws Exception;

    /// The items as a source for a pipeline. A resumed run reads an epoch from its start again and closes the items
    /// it had delivered.
    default Source<T> source() {
        return new IteratorSource<>(this);
    }
}
