package org.jspdl.observe.history;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Adds up what all waits of a consumer were caused by. Used by one thread at a time.
public final class WaitSums {
    /// Items that have fewer characters in common have no place in common that is worth telling.
    private static final int SHORTEST_PLACE = 2;

    private final Map<Where, Sum> sums = new HashMap<>();
    private long all;

    private record Where(boolean queued, String stage) {}

    private static final class Sum {
        long nanos;

        @Nullable
        String common;

        void named(String item) {
            if (!item.isEmpty()) {
                common = common == null ? item : common(common, item);
            }
        }

        private static String common(String one, String other) {
            int most = Math.min(one.length(), other.length());
            int length = 0;
            while (length < most && one.charAt(length) == other.charAt(length)) {
                length++;
            }
            return one.substring(0, length);
        }

        /// Up to the last slash: names in a folder have more in common by chance.
        String place() {
            String shared = common == null ? "" : common;
            String place = shared.substring(0, shared.lastIndexOf('/') + 1);
            return place.length() < SHORTEST_PLACE || place.endsWith("://") ? "" : place;
        }
    }

    /// What was waited for most.
    ///
    /// @param queued whether for the items in front of the stage, instead of for its work
    /// @param place  where the data of the items is, as far as they have that in common; empty if they have not
    /// @param share  of all waits, from 0 to 1
    public record Most(boolean queued, String stage, String place, double share) {}

    /// Adds a part of a wait.
    ///
    /// @param item what the item says that it is; empty if it was not asked
    public void add(boolean queued, String stage, long nanos, String item) {
        Sum sum = sums.computeIfAbsent(new Where(queued, stage), first -> new Sum());
        sum.nanos += nanos;
        sum.named(item);
        all += nanos;
    }

    /// The largest part; empty without waits.
    public Optional<Most> most() {
        return sums.entrySet().stream()
                .max(Comparator.comparingLong((Map.Entry<Where, Sum> each) -> each.getValue().nanos)
                        .thenComparing(each -> each.getKey().stage))
                .filter(each -> each.getValue().nanos > 0)
                .map(each -> new Most(
                        each.getKey().queued,
                        each.getKey().stage,
                        each.getValue().place(),
                        (double) each.getValue().nanos / all));
    }
}
