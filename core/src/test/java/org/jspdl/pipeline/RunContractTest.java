package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.time.Duration;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Gatherer;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What holds for pipelines and runs at their edges.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RunContractTest {
    @Test
    void aBranchWithASourceOfItsOwnIsRefusedWhereItIsGiven() {
        Pipeline<Long> other = Pipeline.from(Sources.range(3));
        Route<Long, Boolean> route = Pipeline.from(Sources.range(3)).route("kind", item -> true);

        assertThatThrownBy(() -> route.when(true, way -> other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("route 'kind'")
                .hasMessageContaining("must begin with the pipeline that it is given");
        assertThatThrownBy(() -> route.when(true, way -> Pipeline.merge(way, other)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("merge of 2");
        assertThatThrownBy(() -> route.when(
                        true,
                        way -> way.route("inner", item -> 1)
                                .<Long>when(1, inner -> way)
                                .merge()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("route 'inner'");
    }

    @Test
    void aSecondThreadThatClosesWaitsForTheFirst() throws Exception {
        Gate gate = new Gate();
        AtomicBoolean returned = new AtomicBoolean();
        Run<Long> run = Pipeline.from(Sources.range(3))
                .pipe(
                        "stubborn",
                        item -> {
                            gate.passIgnoringInterrupts(item);
                            returned.set(true);
                            return item;
                        },
                        io(1))
                .start(RunOptions.defaults().grace(Duration.ofSeconds(50)));
        gate.awaitArrivals(1);
        CompletableFuture<Void> first = new CompletableFuture<>();
        Thread closing = Thread.ofPlatform().start(() -> {
            run.close();
            first.complete(null);
        });
        gate.awaitInterrupts(1);
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        Thread closingToo = Thread.ofPlatform().start(() -> {
            run.close();
            second.complete(returned.get());
        });
        while (closingToo.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        gate.open();

        assertThat(second.get()).isTrue();
        first.get();
        closing.join();
        closingToo.join();
    }

    @Test
    void aSecondConsumerIsRefusedWhileOneWaitsAndNoItemIsLost() throws Exception {
        Gate gate = new Gate();
        try (Run<Long> run = Pipeline.from(Sources.range(3))
                .pipe("hold", gate::pass, io(3).inputOrder())
                .start()) {
            CompletableFuture<List<Long>> taken = new CompletableFuture<>();
            Thread consumer = Thread.ofPlatform().name("first-consumer").start(() -> taken.complete(Runs.take(run, 3)));
            while (consumer.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }

            assertThatThrownBy(() -> run.iterator().hasNext())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("first-consumer")
                    .hasMessageContaining("two threads at once");

            gate.open();
            assertThat(taken.get()).containsExactly(0L, 1L, 2L);
            consumer.join();
        }
    }

    @Test
    void allThreadsOfARunHaveTheClassLoaderOfWhoStartedIt() {
        ClassLoader mine = new ClassLoader("mine", getClass().getClassLoader()) {};
        Set<ClassLoader> seen = ConcurrentHashMap.newKeySet();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(50))
                .map(item -> noted(item, seen))
                .pipe("cpu", item -> noted(item, seen), cpu(2))
                .pipe("io", item -> noted(item, seen), io(2))
                .pipe("dedicated", item -> noted(item, seen), StageOptions.dedicated())
                .pipeAsync("async", item -> CompletableFuture.completedFuture(noted(item, seen)), StageOptions.async(2))
                .batch(3, Remainder.KEEP)
                .unbatch(batch -> {
                    noted(0L, seen);
                    return batch;
                })
                .aggregate(
                        "gather",
                        Gatherer.<Long, Long>ofSequential((_, item, downstream) -> downstream.push(noted(item, seen))),
                        GathererState.emptyAfterEmission());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(mine);
        try {
            assertThat(Runs.deliveries(pipeline)).hasSize(50);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }

        assertThat(seen).containsOnly(mine);
    }

    private static Long noted(Long item, Set<ClassLoader> seen) {
        seen.add(Thread.currentThread().getContextClassLoader());
        return item;
    }

    @Test
    @SuppressWarnings("JdkObsolete") // a list without random access is what is tested
    void aLinkedListIsReadInOneGoAndFromTheMiddle() throws Exception {
        class Chain extends LinkedList<Long> {
            private static final long serialVersionUID = 1L;

            @Override
            public Long get(int index) {
                throw new AssertionError("read by index " + index);
            }
        }
        Chain chain = new Chain();
        chain.addAll(Runs.numbers(0, 20));

        assertThat(Runs.deliveries(Pipeline.from(chain))).isEqualTo(Runs.numbers(0, 20));
        assertThat(Runs.deliveries(Pipeline.from((Iterable<Long>) chain))).isEqualTo(Runs.numbers(0, 20));
        try (var cursor = Sources.of((List<Long>) chain).open(0, Position.at(18))) {
            assertThat(cursor.advance()).isTrue();
            assertThat(cursor.item()).isEqualTo(18);
            assertThat(cursor.advance()).isTrue();
            assertThat(cursor.position()).isEqualTo(Position.at(20));
            assertThat(cursor.advance()).isFalse();
        }
    }

    @Test
    void aPipelineOfWeightZeroIsNeverRead() {
        Source<Long> never = (epoch, from) -> {
            throw new AssertionError("read");
        };
        Pipeline<Long> read = Pipeline.from(Sources.range(20));

        assertThat(Runs.deliveries(
                        Pipeline.mix(7, 0, 1).of(StoppingStrategy.ALL_EXHAUSTED, Pipeline.from(never), read)))
                .isEqualTo(Runs.numbers(0, 20));
    }
}
