package org.jspdl.source;

/// Checks of arguments.
final class Checks {
    private Checks() {}

    static long size(long size) {
        return notNegative("size", size);
    }

    static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative but was " + value);
        }
        return value;
    }

    static int atLeastOne(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 but was " + value);
        }
        return value;
    }

    static void rank(int rank, int worldSize) {
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException(
                    "rank must be in [0, worldSize) but rank was " + rank + " and worldSize " + worldSize);
        }
    }
}
