package org.jspdl.data.order;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspdl.source.IndexOrder;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;
import org.jspdl.source.Subset;

/// Which samples of a dataset an epoch visits, and in which order, said before the dataset's size is known: what a
/// list or weights of the user's decide, in place of all samples in their order or shuffled.
///
/// Immutable; two are equal if they visit the same samples in the same order. Places are computed, so epochs can be
/// dealt to ranks and resumed at any of them, see [Sampler].
///
/// ```java
/// SampleOrder rareOnesOften = SampleOrder.weighted(weights, OptionalLong.of(10_000), 7);
/// ImageLoaderOptions.defaults().samples(rareOnesOften)
/// ```
public final class SampleOrder {
    private static final int DIGEST_BYTES = 8;

    private final String description;
    private final LongFunction<Sampler> over;

    private SampleOrder(String description, LongFunction<Sampler> over) {
        this.description = description;
        this.over = over;
    }

    /// All samples of a dataset, in its order.
    public static SampleOrder all() {
        return new SampleOrder("all", Samplers::sequential);
    }

    /// All samples of a dataset, in an order of their own in each epoch, drawn by `seed`.
    public static SampleOrder allShuffled(long seed) {
        return new SampleOrder("all, shuffled by seed " + seed, size -> Samplers.shuffled(size, seed));
    }

    /// This order without some samples: others come at their places, see [Sampler#without].
    ///
    /// @param indices their numbers; none makes no difference
    public SampleOrder without(long... indices) {
        return indices.length == 0
                ? this
                : new SampleOrder(
                        description + ".without(" + indices.length + " indices #" + digest(indices) + ")",
                        size -> over.apply(size).without(indices));
    }

    /// `times` passes over this order as one epoch, see [Sampler#repeated]: upsampling in which no sample comes
    /// more than `times` times as often.
    public SampleOrder repeated(int times) {
        return times == 1
                ? this
                : new SampleOrder(
                        description + ".repeated(" + times + ")",
                        size -> over.apply(size).repeated(times));
    }

    /// The first `places` places of this order, at which each epoch stops, see [Sampler#limited].
    public SampleOrder limited(long places) {
        return new SampleOrder(
                description + ".limited(" + places + ")",
                size -> over.apply(size).limited(places));
    }

    /// These samples, by their numbers from 0, in this order in every epoch; one may come several times.
    ///
    /// @param indices copied into 4 bytes each, or 8 if one needs them
    /// @throws IllegalArgumentException if there are none, or one is negative
    public static SampleOrder listed(long... indices) {
        Subset subset = subset(indices);
        return listed(indices, size -> Samplers.sequential(subset.size()).within(subset), "");
    }

    /// These samples in an order of their own in each epoch, drawn by `seed`.
    ///
    /// @param indices as for [#listed(long...)]
    public static SampleOrder shuffled(long seed, long... indices) {
        Subset subset = subset(indices);
        return listed(
                indices, size -> Samplers.shuffled(subset.size(), seed).within(subset), ", shuffled by seed " + seed);
    }

    private static Subset subset(long[] indices) {
        if (indices.length == 0) {
            throw new IllegalArgumentException("there are no indices: an epoch would be empty");
        }
        return Subset.of(indices);
    }

    private static SampleOrder listed(long[] indices, LongFunction<Sampler> made, String more) {
        int place = placeOfLargest(indices);
        long largest = indices[place];
        return new SampleOrder("listed(" + indices.length + " indices #" + digest(indices) + more + ")", size -> {
            checkIndex(largest, place, size);
            return made.apply(size);
        });
    }

    /// An order for each of several epochs; the epoch behind the last begins with the first again.
    ///
    /// @param epochs the samples of each epoch, equally many; not changed from here on
    /// @throws IllegalArgumentException if there are none, one is negative, or epochs differ in length
    public static SampleOrder listedByEpoch(long[]... epochs) {
        if (epochs.length == 0 || epochs[0].length == 0) {
            throw new IllegalArgumentException("there are no indices: an epoch would be empty");
        }
        int places = epochs[0].length;
        Subset[] subsets = new Subset[epochs.length];
        MessageDigest hash = sha256();
        for (int i = 0; i < epochs.length; i++) {
            if (epochs[i].length != places) {
                throw new IllegalArgumentException("all epochs must visit equally many samples but epoch 0 has "
                        + places + " and epoch " + i + " has " + epochs[i].length);
            }
            subsets[i] = Subset.of(epochs[i]);
            hash.update(bytes(epochs[i]));
        }
        String name = "listed(" + epochs.length + " epochs of " + places + " indices #" + text(hash) + ")";
        long[] largest = Arrays.stream(epochs)
                .mapToLong(each -> each[placeOfLargest(each)])
                .toArray();
        int[] where =
                Arrays.stream(epochs).mapToInt(SampleOrder::placeOfLargest).toArray();
        IndexOrder order = IndexOrder.of(
                places, name, (epoch, place) -> subsets[Math.floorMod(epoch, subsets.length)].index(place));
        return new SampleOrder(name, size -> {
            for (int i = 0; i < largest.length; i++) {
                checkIndex(largest[i], where[i], size);
            }
            return Samplers.of(order);
        });
    }

    /// Samples drawn with a probability in proportion to their weights, with replacement: one may come several
    /// times in an epoch.
    ///
    /// @param weights one for each sample, finite, not negative, not all 0; copied into 12 bytes each
    /// @param draws   of an epoch; empty for as many as there are samples
    public static SampleOrder weighted(double[] weights, OptionalLong draws, long seed) {
        return weighted(
                weights,
                draws.orElse(weights.length),
                "seed " + seed,
                () -> Samplers.weighted(weights, draws.orElse(weights.length), seed));
    }

    /// Different samples: each is drawn among those that are left, with a probability in proportion to its weight.
    ///
    /// @param weights one for each sample, finite and not negative; copied into 4 bytes each
    /// @param draws   of an epoch, no more than there are positive weights; empty for as many as these
    public static SampleOrder weightedWithoutReplacement(double[] weights, OptionalLong draws, long seed) {
        long drawn =
                draws.orElse(Arrays.stream(weights).filter(weight -> weight > 0).count());
        if (drawn > weights.length) {
            throw new IllegalArgumentException("without replacement " + drawn + " samples cannot be drawn from "
                    + weights.length + ": give fewer draws, or draw with replacement");
        }
        return weighted(
                weights,
                drawn,
                "without replacement, seed " + seed,
                () -> Samplers.weightedWithoutReplacement(weights, (int) drawn, seed));
    }

    /// Every sample once in each epoch, at random among those whose values a limit admits, which rises: the easy
    /// ones first, see [Samplers#curriculum].
    ///
    /// @param values one for each sample; copied
    /// @param name   what the limit is called: two limits of the same name must be the same
    public static SampleOrder curriculum(double[] values, Samplers.Limit limit, String name, long seed) {
        Sampler sampler = Samplers.curriculum(values, limit, name, seed);
        int count = values.length;
        return new SampleOrder(
                "curriculum(" + count + " values #" + digest(bits(values)) + ", " + name + ", seed " + seed + ")",
                size -> {
                    if (size != count) {
                        throw new IllegalArgumentException("there are " + count + " values but " + size
                                + " samples: give one value for each sample, in the order of the dataset");
                    }
                    return sampler;
                });
    }

    private static long[] bits(double[] values) {
        return Arrays.stream(values).mapToLong(Double::doubleToLongBits).toArray();
    }

    /// Makes what draws at once, so that wrong weights are refused here and the array is not needed later.
    private static SampleOrder weighted(double[] weights, long draws, String more, Supplier<Sampler> made) {
        if (draws < 1) {
            throw new IllegalArgumentException("an epoch must have at least 1 draw but had " + draws);
        }
        Sampler sampler = made.get();
        int count = weights.length;
        return new SampleOrder(
                "weighted(" + count + " weights #" + digest(bits(weights)) + ", " + draws + " draws, " + more + ")",
                size -> {
                    if (size != count) {
                        throw new IllegalArgumentException("there are " + count + " weights but " + size
                                + " samples: give one weight for each sample, in the order of the dataset");
                    }
                    return sampler;
                });
    }

    /// The order over a dataset of `size` samples, for a single rank.
    ///
    /// @throws IllegalArgumentException if the dataset has no such samples; the message names the first place
    public Sampler over(long size) {
        return over.apply(size);
    }

    private static void checkIndex(long index, int place, long size) {
        if (index >= size) {
            throw new IllegalArgumentException("index " + index + " at place " + place + " is beyond the dataset, which"
                    + " has " + size + " samples, numbered from 0");
        }
    }

    private static int placeOfLargest(long[] indices) {
        int place = 0;
        for (int i = 1; i < indices.length; i++) {
            place = indices[i] > indices[place] ? i : place;
        }
        return place;
    }

    private static String digest(long[] values) {
        MessageDigest hash = sha256();
        hash.update(bytes(values));
        return text(hash);
    }

    private static byte[] bytes(long[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(values.length, Long.BYTES));
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }

    private static String text(MessageDigest hash) {
        return HexFormat.of().formatHex(hash.digest(), 0, DIGEST_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SampleOrder order && description.equals(order.description);
    }

    @Override
    public int hashCode() {
        return description.hashCode();
    }

    @Override
    public String toString() {
        return description;
    }
}
