package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspdl.source.Sources;
import org.jspdl.stats.ItemObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ItemObserverTest {

    @ParameterizedTest
    @MethodSource("org.jspdl.pipeline.Setting#all")
    void everyItemIsFollowedFromTheSourceToTheConsumer(Setting setting) {
        Recorder seen = new Recorder();
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(40))
                .pipe("one", item -> item, setting.options())
                .pipe("two", item -> item, setting.options())
                .batch(4, Remainder.KEEP);

        Runs.deliveries(pipeline, RunOptions.defaults().observer(seen));

        assertThat(seen.admitted).hasSize(40).doesNotHaveDuplicates();
        assertThat(seen.in("one")).containsExactlyInAnyOrderElementsOf(seen.admitted);
        assertThat(seen.in("two")).containsExactlyInAnyOrderElementsOf(seen.admitted);
        assertThat(seen.members()).containsExactlyInAnyOrderElementsOf(seen.admitted);
        assertThat(seen.delivered).containsExactlyInAnyOrderElementsOf(seen.groups.keySet());
        assertThat(seen.backwards).isEmpty();
    }

    @Test
    void thePartsOfAnItemHaveItsNumber() {
        Recorder seen = new Recorder();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5))
                .flatMap("twice", item -> List.of(item, item), StageOptions.cpu(2))
                .pipe("after", item -> item, StageOptions.cpu(2));

        Runs.deliveries(pipeline, RunOptions.defaults().observer(seen));

        Map<Long, Long> times =
                seen.in("after").stream().collect(Collectors.groupingBy(item -> item, Collectors.counting()));
        assertThat(times.keySet()).containsExactlyInAnyOrderElementsOf(seen.admitted);
        assertThat(times.values()).allMatch(count -> count == 2);
    }

    @Test
    void aConsumerThatAsksInVainWaitsOn() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        Recorder seen = new Recorder();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "slow",
                        item -> {
                            asked.await();
                            return item;
                        },
                        StageOptions.io(1));
        long waited = 0;
        try (Run<Long> run = pipeline.start(RunOptions.defaults().observer(seen))) {
            for (Optional<Long> item = Optional.empty(); item.isEmpty(); asked.countDown()) {
                long before = System.nanoTime();
                item = run.poll(Duration.ofMillis(5));
                waited += item.isEmpty() ? System.nanoTime() - before : 0;
            }
        }

        assertThat(waited).isGreaterThan(15_000_000);
        assertThat(seen.waits)
                .singleElement()
                .satisfies(wait -> assertThat(wait).isGreaterThan(15_000_000L));
    }

    /// Notes all numbers.
    private static final class Recorder implements ItemObserver {
        final ConcurrentLinkedQueue<Long> admitted = new ConcurrentLinkedQueue<>();
        final Map<String, ConcurrentLinkedQueue<Long>> worked = new ConcurrentHashMap<>();
        final Map<Long, long[]> groups = new ConcurrentHashMap<>();
        final ConcurrentLinkedQueue<Long> waits = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<Long> delivered = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<String> backwards = new ConcurrentLinkedQueue<>();

        @Override
        public void admitted(String source, long item, long start, long end) {
            admitted.add(item);
            check(source, start, end);
        }

        @Override
        public void worked(String stage, long item, long start, long end, Outcome outcome) {
            worked.computeIfAbsent(stage, name -> new ConcurrentLinkedQueue<>()).add(item);
            check(stage, start, end);
        }

        @Override
        public void grouped(String stage, long item, long[] members, long now) {
            groups.put(item, members);
        }

        @Override
        public void delivered(long item, long asked, long received) {
            delivered.add(item);
            waits.add(received - asked);
            check("consumer", asked, received);
        }

        private void check(String where, long start, long end) {
            if (end < start) {
                backwards.add(where + " from " + start + " to " + end);
            }
        }

        Queue<Long> in(String stage) {
            return worked.getOrDefault(stage, new ConcurrentLinkedQueue<>());
        }

        Set<Long> members() {
            return groups.values().stream()
                    .flatMapToLong(Arrays::stream)
                    .boxed()
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }
}
