package org.jspdl.source;

/// Orders in which to visit the items of a dataset, given by their index.
public final class Samplers {
    private Samplers() {}

    /// 0, 1, 2, ... `size` - 1, in every epoch.
    public static Sampler sequential(long size) {
        return new Sampler(checked(size), false, 0, 0, 1, false);
    }

    /// Every index once in each epoch, in an order given by `seed` and the epoch.
    public static Sampler shuffled(long size, long seed) {
        return new Sampler(checked(size), true, seed, 0, 1, false);
    }

    private static long checked(long size) {
        if (size < 0) {
            throw new IllegalArgumentException("size must not be negative but was " + size);
        }
        return size;
    }
}
