package org.jspdl.kafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspdl.source.Position;

/// Where each partition of a rank stands, as the text of a position: `Xk3..Q 0/2 @0! 0=15/100 2=7/50 ~ 4:12`.
///
/// Immutable.
///
/// @param topicId what the broker calls the topic; one that was deleted and made anew has another
/// @param share   whose partitions these are
/// @param live    whether there is no end
/// @param turn    the partition that is asked first
/// @param exact   whether the next record is known: that of `turn`, at its offset
/// @param next    the offset from which each partition goes on
/// @param ends    the offset behind the last one of each; none if it is live
/// @param single  records that are read before all others, one by one
record Offsets(
        String topicId,
        Share share,
        boolean live,
        int turn,
        boolean exact,
        Map<Integer, Long> next,
        Map<Integer, Long> ends,
        List<Single> single) {

    /// One record.
    record Single(int partition, long offset) {}

    /// Every partition whose number leaves `rank` as the remainder of a division by `worldSize`.
    record Share(int rank, int worldSize) {
        boolean has(int partition) {
            return partition % worldSize == rank;
        }

        @Override
        public String toString() {
            return rank + "/" + worldSize;
        }
    }

    /// Of those that never change, the maps are sorted.
    Offsets {
        next = Collections.unmodifiableMap(new TreeMap<>(next));
        ends = Collections.unmodifiableMap(new TreeMap<>(ends));
        single = List.copyOf(single);
    }

    Position position(long index) {
        return new Position(index, text());
    }

    String text() {
        StringBuilder text = new StringBuilder(topicId)
                .append(' ')
                .append(share)
                .append(live ? " live @" : " @")
                .append(turn)
                .append(exact ? "!" : "");
        next.forEach((partition, offset) -> {
            text.append(' ').append(partition).append('=').append(offset);
            if (!live) {
                text.append('/').append(ends.get(partition));
            }
        });
        if (!single.isEmpty()) {
            text.append(" ~ ")
                    .append(single.stream()
                            .map(each -> each.partition + ":" + each.offset)
                            .collect(Collectors.joining(" ")));
        }
        return text.toString();
    }

    /// @throws IllegalArgumentException if the text is none of ours
    static Offsets parse(String state) {
        try {
            List<String> words = List.of(state.split(" "));
            int at = 0;
            String topicId = words.get(at++);
            List<Long> share = numbers(words.get(at++), '/');
            Share whose = new Share(Math.toIntExact(share.get(0)), Math.toIntExact(share.get(1)));
            boolean live = words.get(at).equals("live");
            at += live ? 1 : 0;
            String turn = words.get(at++);
            boolean exact = turn.endsWith("!");
            int first = Integer.parseInt(turn.substring(1, turn.length() - (exact ? 1 : 0)));
            Map<Integer, Long> next = new TreeMap<>();
            Map<Integer, Long> ends = new TreeMap<>();
            for (; at < words.size() && !words.get(at).equals("~"); at++) {
                int equals = words.get(at).indexOf('=');
                int partition = Integer.parseInt(words.get(at).substring(0, equals));
                List<Long> offsets = numbers(words.get(at).substring(equals + 1), '/');
                next.put(partition, offsets.get(0));
                if (!live) {
                    ends.put(partition, offsets.get(1));
                }
            }
            List<Single> single = new ArrayList<>();
            for (at++; at < words.size(); at++) {
                List<Long> each = numbers(words.get(at), ':');
                single.add(new Single(Math.toIntExact(each.get(0)), each.get(1)));
            }
            Offsets offsets = new Offsets(topicId, whose, live, first, exact, next, ends, single);
            if (turn.charAt(0) == '@' && offsets.isSound()) {
                return offsets;
            }
        } catch (IndexOutOfBoundsException | ArithmeticException | NumberFormatException malformed) {
            // refused below
        }
        throw new IllegalArgumentException("'" + state + "' is no place in a topic");
    }

    private boolean isSound() {
        return share.worldSize >= 1
                && share.rank >= 0
                && share.rank < share.worldSize
                && turn >= 0
                && next.keySet().stream().allMatch(partition -> partition >= 0)
                && next.values().stream().allMatch(offset -> offset >= 0)
                && ends.values().stream().allMatch(offset -> offset >= 0)
                && single.stream().allMatch(each -> each.partition >= 0 && each.offset >= 0)
                && (!exact || !single.isEmpty() || next.containsKey(turn));
    }

    private static List<Long> numbers(String text, char between) {
        int at = text.indexOf(between);
        return at < 0
                ? List.of(Long.parseLong(text))
                : List.of(Long.parseLong(text.substring(0, at)), Long.parseLong(text.substring(at + 1)));
    }
}
