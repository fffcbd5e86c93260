package org.jspdl.data.image;

/// How many of the pieces of a service are decoded here. It grows as long as the run waits for workers, and shrinks
/// while their pieces lie ready: then they are fast enough, or the trainer is what is slow. Used by one thread.
final class LocalShare {
    private static final double MORE = 0.1;
    private static final double LESS = 0.05;
    /// Some pieces are always asked for, or nothing would tell when workers are fast again.
    private static final double MOST = 0.95;

    private double share;
    private double due;

    /// Whether the next piece is decoded here.
    boolean next() {
        due += share;
        if (due < 1) {
            return false;
        }
        due--;
        return true;
    }

    /// A piece of a worker is taken.
    ///
    /// @param late whether the run had to wait for it
    void came(boolean late) {
        share = late ? Math.min(MOST, share + MORE) : Math.max(0, share - LESS);
    }
}
