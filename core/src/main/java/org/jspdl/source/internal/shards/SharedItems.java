package org.jspdl.source.internal.shards;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.internal.shards.ShardSegments.Segment;

/// Parts of shards that several ranks have left of an epoch, to be shared out.
///
/// @param start how many items of the epoch every rank is taken to have had before
/// @param parts in the order common to all ranks
record SharedItems(long start, List<Segment> parts) {
    private static final int WHOLE = 0;
    private static final int PARTLY = 1;
    /// Parts beyond one for each of the order: those that several ranks have left of one.
    private static final int MOST_MORE_PARTS = 1_000_000;

    /// What `left` tells of one rank that reads `segments`.
    static List<Segment> of(ElasticSource.Left left, ShardSegments segments, ShardMix mix, long epoch) {
        Map<String, WindowItems> windows = new HashMap<>();
        TreeMap<Integer, TreeSet<Long>> items = new TreeMap<>();
        Map<Integer, Long> tails = new HashMap<>();
        for (Position place : left.pending()) {
            WindowItems.Item item = windows.computeIfAbsent(
                            place.state(), state -> WindowItems.of(place, segments, mix, epoch))
                    .at(place);
            items.computeIfAbsent(item.segment(), segment -> new TreeSet<>()).add(item.number());
        }
        Position next = left.next();
        int untouched = next == null ? segments.count() : 0;
        if (next != null && !next.equals(Position.START)) {
            WindowItems window = WindowItems.of(next, segments, mix, epoch);
            for (WindowItems.Item item : window.from(next)) {
                items.computeIfAbsent(item.segment(), segment -> new TreeSet<>())
                        .add(item.number());
            }
            for (WindowItems.Item open : window.open()) {
                items.computeIfAbsent(open.segment(), segment -> new TreeSet<>());
                tails.put(open.segment(), open.number());
            }
            untouched = window.nextSegment();
        }
        List<Segment> parts = new ArrayList<>();
        items.forEach((number, singles) -> {
            Segment segment = segments.get(number);
            long from = tails.getOrDefault(number, Long.MAX_VALUE);
            ItemRuns runs = ItemRuns.of(singles, segment.runs().within(from, Long.MAX_VALUE));
            if (!runs.isEmpty()) {
                parts.add(segment.only(runs));
            }
        });
        for (int number = untouched; number < segments.count(); number++) {
            parts.add(segments.get(number));
        }
        return parts;
    }

    /// The same parts in the order common to all ranks.
    static SharedItems sorted(long start, List<Segment> parts) {
        return new SharedItems(
                start,
                parts.stream()
                        .sorted(Comparator.comparingInt(Segment::ordinal)
                                .thenComparingLong(part -> part.runs().first()))
                        .toList());
    }

    /// What one of the ranks that share these reads: equally many items, or one more; whole parts if a shard does
    /// not know its size.
    ShardSegments of(Lane lane, List<? extends Source<?>> shards) {
        if (lane.worldSize() == 1) {
            return new ShardSegments(parts);
        }
        Optional<List<Segment>> known = known(shards);
        List<Segment> mine = new ArrayList<>();
        if (known.isEmpty()) {
            for (int i = lane.rank(); i < parts.size(); i += lane.worldSize()) {
                mine.add(parts.get(i));
            }
            return new ShardSegments(mine);
        }
        long total = count(known.get());
        long first = total / lane.worldSize() * lane.rank() + Math.min(lane.rank(), total % lane.worldSize());
        long end = first + total / lane.worldSize() + (lane.rank() < total % lane.worldSize() ? 1 : 0);
        long before = 0;
        for (Segment part : known.get()) {
            long size = part.runs().count();
            long skipped = Math.max(0, first - before);
            ItemRuns runs = part.runs().part(skipped, Math.max(0, Math.min(size, end - before) - skipped));
            if (!runs.isEmpty()) {
                mine.add(part.only(runs));
            }
            before += size;
        }
        return new ShardSegments(mine);
    }

    private static long count(List<Segment> parts) {
        return parts.stream().mapToLong(part -> part.runs().count()).sum();
    }

    /// The parts with their ends; empty if one of the shards does not know its size.
    private Optional<List<Segment>> known(List<? extends Source<?>> shards) {
        List<Segment> known = new ArrayList<>();
        for (Segment part : parts) {
            ItemRuns runs = part.runs();
            if (runs.end() == Long.MAX_VALUE) {
                OptionalLong size = shards.get(part.shard()).size();
                if (size.isEmpty()) {
                    return Optional.empty();
                }
                runs = runs.within(0, size.getAsLong());
            }
            if (!runs.isEmpty()) {
                known.add(part.only(runs));
            }
        }
        return Optional.of(known);
    }

    /// How many items each of `worldSize` ranks gets at least; empty if a shard does not know its size.
    OptionalLong each(int worldSize, List<? extends Source<?>> shards) {
        return known(shards)
                .map(known -> OptionalLong.of(count(known) / worldSize))
                .orElse(OptionalLong.empty());
    }

    SharedItems startingAt(long newStart) {
        return new SharedItems(newStart, parts);
    }

    private static boolean isWhole(Segment part, Segment ordered, List<? extends Source<?>> shards) {
        ItemRuns runs = part.runs();
        return runs.bounds().length == 2
                && runs.first() == ordered.from()
                && (runs.end() == ordered.to()
                        || runs.end() == shards.get(part.shard()).size().orElse(-1));
    }

    /// @param ordered the order common to all ranks
    String write(List<Segment> ordered, List<? extends Source<?>> shards) {
        StateText.Writer text = new StateText.Writer().number(start);
        for (int i = 0; i < parts.size(); ) {
            Segment part = parts.get(i);
            int run = i;
            while (run < parts.size()
                    && parts.get(run).ordinal() == part.ordinal() + run - i
                    && isWhole(parts.get(run), ordered.get(parts.get(run).ordinal()), shards)) {
                run++;
            }
            if (run > i) {
                text.number(WHOLE).number(part.ordinal()).number(run - i);
                i = run;
            } else {
                text.number(PARTLY).number(part.ordinal());
                part.runs().write(text);
                i++;
            }
        }
        return text.toString();
    }

    static SharedItems read(StateText.Reader text, List<Segment> ordered) {
        long start = text.longNumber();
        List<Segment> parts = new ArrayList<>();
        while (text.left() > 0) {
            int kind = text.number(PARTLY);
            if (ordered.isEmpty()) {
                throw text.refused();
            }
            int ordinal = text.number(ordered.size() - 1);
            if (kind == WHOLE) {
                int count = text.number(ordered.size() - ordinal);
                parts.addAll(ordered.subList(ordinal, ordinal + count));
            } else {
                ItemRuns runs = ItemRuns.read(text);
                if (runs.isEmpty()) {
                    throw text.refused();
                }
                parts.add(ordered.get(ordinal).only(runs));
            }
            if (parts.size() > ordered.size() + MOST_MORE_PARTS) {
                throw text.refused();
            }
        }
        return new SharedItems(start, parts);
    }
}
