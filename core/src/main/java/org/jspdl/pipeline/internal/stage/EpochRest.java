package org.jspdl.pipeline.internal.stage;

/// What lacks of a whole number of groups in the epochs before one: a group that an epoch ends early takes as much
/// as others, though less is in flight for it. Used under the lock of a [Budget].
final class EpochRest {
    /// The epoch that was begun last.
    private long epoch;
    /// What is in flight of those before it.
    private long earlier;

    private long rest;

    /// What is to be counted beside what is in flight, for an item of an epoch.
    ///
    /// @param used  what is in flight
    /// @param whole the weight of a group; 0 if groups don't count
    long before(long of, long used, long whole) {
        if (of <= epoch) {
            return rest;
        }
        return whole > 0 ? (whole - used % whole) % whole : 0;
    }

    /// Notes that an item of an epoch is let in.
    void admit(long of, long used, long whole) {
        if (of > epoch) {
            rest = before(of, used, whole);
            earlier = used;
            epoch = of;
        }
    }

    /// Notes that what is in flight of an epoch weighs `bytes` more.
    void add(long of, long bytes) {
        if (of < epoch) {
            earlier += bytes;
            rest = earlier > 0 ? rest : 0;
        }
    }
}
