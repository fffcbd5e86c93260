package org.jspdl.pipeline.internal.lineage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspdl.pipeline.internal.lineage.Lineage.Drawn;
import org.jspdl.pipeline.internal.lineage.Lineage.Element;
import org.jspdl.pipeline.internal.lineage.Lineage.Group;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.lineage.Lineage.Part;
import org.jspdl.pipeline.internal.lineage.Lineage.Thinned;

/// Generators keyed by (seed, epoch, source position, stage), so that an item gets the same numbers whatever thread
/// runs it.
public final class ItemRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long key;

    public ItemRandom(long seed, String stage) {
        this.key = mix(mix(seed) + hash(stage));
    }

    public RandomGenerator of(Lineage lineage) {
        return new SplittableRandom(mix(key + fingerprint(lineage)));
    }

    /// A number in [0, 1) that belongs to a draw.
    public static double uniform(long seed, long epoch, long draw, int attempt) {
        return (mix(mix(mix(mix(seed) + epoch) + draw) + attempt * GOLDEN) >>> 11) * 0x1.0p-53;
    }

    private static long fingerprint(Lineage lineage) {
        if (lineage instanceof Origin origin) {
            return fingerprint(origin);
        }
        Deque<Lineage> path = new ArrayDeque<>();
        Lineage of = lineage;
        while (!(of instanceof Origin)) {
            path.addLast(of);
            of = !(of instanceof Group group)
                    ? of.parent()
                    : group.members.length == 0 ? group.first() : group.members[0];
        }
        long print = fingerprint((Origin) of);
        while (!path.isEmpty()) {
            print = switch (path.removeLast()) {
                case Group group -> mix(print + group.members.length);
                case Part part -> mix(print + GOLDEN * (part.ordinal + 1));
                case Element element -> mix(print - GOLDEN * (element.index + 1));
                case Drawn _, Thinned _, Origin _ -> print;
            };
        }
        return print;
    }

    /// Without the position's state, which differs when a place is dealt to another number of ranks.
    private static long fingerprint(Origin origin) {
        return mix(mix(mix(origin.source + GOLDEN) + origin.epoch) + origin.position.index());
    }

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash + text.charAt(i));
        }
        return hash;
    }

    /// The finalizer of SplitMix64.
    private static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
