package org.jspdl.stats;

import java.util.function.LongConsumer;

/// Is told of the requests to other machines by which data comes, so that waits can be explained by them; and, where
/// it asks for that, of the bytes that storage reads, on local disks too.
@FunctionalInterface
public interface RequestObserver {
    /// What [#opened] answers by default: nobody is told of reads.
    LongConsumer READS_UNTOLD = _ -> {};

    /// Is told nothing: requests are not timed for it.
    RequestObserver NONE = _ -> {};

    /// A request has ended, well or not, with all its repeats. Called on the thread that sent it, and on many
    /// threads at once; must return soon and throw nothing.
    void ended(RemoteRequest request);

    /// An object is opened to be read, on this thread. Must return soon and throw nothing.
    ///
    /// @return is told how many bytes a read gave, after each that succeeded, on the thread that asked for it, and
    ///     on many threads at once; must return soon and throw nothing. [#READS_UNTOLD] if it need not be
    default LongConsumer opened() {
        return READS_UNTOLD;
    }
}
