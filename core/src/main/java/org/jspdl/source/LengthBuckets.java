package org.jspdl.source;

import java.util.Arrays;

/// Ranges of lengths whose items are batched together, so that little is padded. Immutable.
///
/// A bucket holds the lengths above the limit before its own, up to its own.
public final class LengthBuckets {
    private final int[] limits;

    private LengthBuckets(int[] limits) {
        this.limits = limits;
    }

    /// Buckets with these upper limits, in ascending order.
    public static LengthBuckets upTo(int... limits) {
        if (limits.length == 0) {
            throw new IllegalArgumentException("there must be at least one bucket");
        }
        for (int i = 0; i < limits.length; i++) {
            if (limits[i] < 1 || (i > 0 && limits[i] <= limits[i - 1])) {
                throw new IllegalArgumentException(
                        "limits must be positive and ascending but were " + Arrays.toString(limits));
            }
        }
        return new LengthBuckets(limits.clone());
    }

    /// Buckets from `first` to `last`, each limit about `growth` times the one before: the share that is padded is
    /// below 1 - 1 / `growth` for all lengths above `first`.
    public static LengthBuckets growing(int first, int last, double growth) {
        if (first < 1 || last < first || !(growth > 1)) {
            throw new IllegalArgumentException("buckets must have 1 <= first <= last and growth > 1 but were " + first
                    + ", " + last + ", " + growth);
        }
        int[] limits = new int[64];
        int count = 0;
        for (long limit = first; limit < last; limit = Math.max(limit + 1, (long) (limit * growth))) {
            if (count == limits.length) {
                limits = Arrays.copyOf(limits, 2 * count);
            }
            limits[count++] = (int) limit;
        }
        int[] all = Arrays.copyOf(limits, count + 1);
        all[count] = last;
        return new LengthBuckets(all);
    }

    /// How many buckets there are.
    public int count() {
        return limits.length;
    }

    /// The largest length of a bucket.
    public int limit(int bucket) {
        return limits[bucket];
    }

    /// The bucket of a length; [#count] if it is above all.
    public int of(int length) {
        int found = Arrays.binarySearch(limits, length);
        return found >= 0 ? found : -found - 1;
    }

    @Override
    public String toString() {
        return limits.length > 8
                ? limits.length + " buckets from " + limits[0] + " to " + limits[limits.length - 1]
                : "buckets up to " + Arrays.toString(limits);
    }
}
