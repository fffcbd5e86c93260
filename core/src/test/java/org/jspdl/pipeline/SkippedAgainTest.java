package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspdl.source.Samplers;
import org.jspdl.stats.SkipObserver;
import org.junit.jupiter.api.Test;

/// What a policy skipped is skipped again when nothing fails any more, by every kind of step that is asked; and who is
/// not asked tells nobody, so that nothing else is skipped in its place.
class SkippedAgainTest {
    private static final int ITEMS = 60;

    /// What fails.
    private final Set<Long> broken = ConcurrentHashMap.newKeySet();

    private record Place(String stage, int source, long epoch, long place) {}

    /// Notes what is skipped.
    private static final class Notes implements SkipObserver {
        private final Set<Place> all = ConcurrentHashMap.newKeySet();

        @Override
        public void skipped(String stage, int source, long epoch, long place, Throwable cause) {
            all.add(new Place(stage, source, epoch, place));
        }
    }

    /// Has skipped again what was noted.
    private record Again(Set<Place> places, Set<Place> others) implements SkipObserver {
        @Override
        public void skipped(String stage, int source, long epoch, long place, Throwable cause) {
            if (!skipsAgain(stage, source, epoch, place)) {
                others.add(new Place(stage, source, epoch, place));
            }
        }

        @Override
        public boolean skipsAgain(String stage, int source, long epoch, long place) {
            return places.contains(new Place(stage, source, epoch, place));
        }
    }

    private long whole(long item) {
        if (broken.contains(item)) {
            throw new IllegalArgumentException(item + " is broken");
        }
        return item;
    }

    private List<Long> all(List<Long> items) {
        items.forEach(this::whole);
        return items;
    }

    /// Two elements, between which it fails.
    private Iterable<Long> halves(long item) {
        return () -> Stream.of(0, 1)
                .map(half -> 2 * (half == 0 ? item : whole(item)) + half)
                .iterator();
    }

    private Map<String, Function<Pipeline<Long>, Pipeline<?>>> steps() {
        StageOptions three = StageOptions.cpu(3).inputOrder();
        Map<String, Function<Pipeline<Long>, Pipeline<?>>> steps = new TreeMap<>();
        steps.put("map", items -> items.map(this::whole));
        steps.put("filter", items -> items.filter(item -> whole(item) % 4 != 0));
        steps.put("pipe", items -> items.pipe("work", this::whole, three));
        steps.put(
                "map behind pipe",
                items -> items.pipe("work", item -> item, three).map(this::whole));
        steps.put(
                "async",
                items -> items.pipeAsync(
                        "work",
                        item -> CompletableFuture.supplyAsync(() -> whole(item)),
                        StageOptions.async(3).inputOrder()));
        steps.put(
                "retries",
                items -> items.pipe(
                        "work",
                        this::whole,
                        three.failures(FailurePolicy.skip(50).retry(3, Duration.ZERO))));
        steps.put("flat map", items -> items.flatMap("work", item -> List.of(whole(item), -item), three));
        steps.put("unbatch", items -> items.unbatch(item -> List.of(whole(item), -item)));
        steps.put("map behind batch", items -> items.batch(4, Remainder.KEEP).map(this::all));
        steps.put("pipe behind batch", items -> items.batch(4, Remainder.KEEP).pipe("work", this::all, three));
        steps.put(
                "route",
                items -> items.route("way", item -> whole(item) % 2)
                        .when(0L, even -> even.map(item -> item))
                        .otherwise(odd -> odd.map(item -> -item))
                        .merge());
        return steps;
    }

    private List<Object> run(Pipeline<?> pipeline, SkipObserver observer) {
        List<Object> delivered = new ArrayList<>();
        RunOptions options = RunOptions.defaults()
                .computeThreads(3)
                .failures(FailurePolicy.skip(50))
                .observer(observer);
        try (Run<?> run = pipeline.start(options)) {
            run.forEach(delivered::add);
        }
        return delivered;
    }

    @Test
    void whatWasSkippedIsSkippedAgainWhateverFailsNow() {
        for (var step : steps().entrySet()) {
            broken.addAll(List.of(0L, 7L, 8L, 23L, 41L, 59L));
            Pipeline<?> pipeline = step.getValue().apply(Pipeline.from(Samplers.shuffled(ITEMS, 5)));
            Notes notes = new Notes();
            List<Object> then = run(pipeline, notes);
            assertThat(notes.all).as(step.getKey()).isNotEmpty();

            for (Set<Long> now : List.of(Set.copyOf(broken), Set.of(7L), Set.<Long>of())) {
                broken.clear();
                broken.addAll(now);
                Again again = new Again(notes.all, ConcurrentHashMap.newKeySet());
                assertThat(sorted(step.getKey(), run(pipeline, again)))
                        .as("%s, broken %s", step.getKey(), now)
                        .isEqualTo(sorted(step.getKey(), then));
                assertThat(again.others).as(step.getKey()).isEmpty();
            }
        }
    }

    /// Branches of a route deliver in any order.
    private static List<Object> sorted(String step, List<Object> items) {
        List<Object> sorted = new ArrayList<>(items);
        if (step.equals("route")) {
            sorted.sort(Comparator.comparing(item -> (Long) item));
        }
        return sorted;
    }

    /// An item of which a part had passed is not skipped as a whole: nobody is told, and it comes as it did.
    @Test
    void whatFailsBetweenItsPartsIsNotSkippedAsAWhole() {
        broken.addAll(List.of(7L, 41L));
        Pipeline<Long> pipeline = Pipeline.from(Samplers.sequential(ITEMS))
                .flatMap("work", this::halves, StageOptions.cpu(3).inputOrder());
        Notes notes = new Notes();
        List<Object> then = run(pipeline, notes);

        assertThat(then).contains(14L, 82L).doesNotContain(15L, 83L).hasSize(2 * ITEMS - 2);
        assertThat(notes.all).isEmpty();
        assertThat(run(pipeline, new Again(notes.all, new HashSet<>()))).isEqualTo(then);
    }
}
