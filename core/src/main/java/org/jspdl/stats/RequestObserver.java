package org.jspdl.stats;

/// Is told of the requests to other machines by which data comes, so that waits can be explained by them.
@FunctionalInterface
public interface RequestObserver {
    /// Is told nothing: requests are not timed for it.
    RequestObserver NONE = _ -> {};

    /// A request has ended, well or not, with all its repeats. Called on the thread that sent it, and on many
    /// threads at once; must return soon and throw nothing.
    void ended(RemoteRequest request);
}
