package org.jspdl.memory;

/// A lease would have taken a pool beyond its limit.
///
/// The message says how much was asked for, the limit, and who holds what. A pool never waits: waiting could
/// deadlock a batch that needs one more row to be finished.
public final class PoolExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PoolExhaustedException(String message) {
        super(message);
    }
}
