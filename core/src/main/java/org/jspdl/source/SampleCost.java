package org.jspdl.source;

import org.jspdl.internal.Arguments;

/// What each sample costs a training step, by its index: tokens, squared lengths, patches, frames, pixels, or a
/// function of the caller's. Equal whenever it is asked; may be asked by several threads.
@FunctionalInterface
public interface SampleCost {
    /// The cost of the sample with this index; not negative.
    long of(long index);

    /// Each sample costs the same: batches of a fixed number of samples.
    static SampleCost each() {
        return index -> 1;
    }

    /// The costs in `costs`, which is not copied and not to be changed: the numbers of tokens or frames.
    static SampleCost of(int[] costs) {
        return index -> costs[(int) index];
    }

    /// The squares of these costs: what attention costs for samples of that many tokens.
    default SampleCost squared() {
        return index -> {
            long cost = of(index);
            return Math.multiplyExact(cost, cost);
        };
    }

    /// The patches of images, those at the right and lower edges included: what a vision transformer reads. Neither
    /// array is copied.
    ///
    /// @param patch the side of a patch, in pixels; 1 for the pixels themselves
    static SampleCost patches(int[] widths, int[] heights, int patch) {
        Arguments.atLeastOne("patch", patch);
        return index -> (long) Math.ceilDiv(widths[(int) index], patch) * Math.ceilDiv(heights[(int) index], patch);
    }
}
