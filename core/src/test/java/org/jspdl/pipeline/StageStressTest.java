package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Very many very short runs of each kind of stage, with the least room and functions that do nothing, so that every
/// item is a handover at which a wake-up could be lost.
@Timeout(value = 5, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class StageStressTest {
    private static final int ROUNDS = Campaign.scale(120, 4_000);
    private static final int ITEMS = 40;
    private static final Executor SOMEBODY_ELSE = ForkJoinPool.commonPool();

    enum Kind {
        CPU {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return items.pipe(
                        "stage", item -> item, StageOptions.cpu(calls).buffer(1).inputOrder());
            }
        },
        IO {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return items.pipe(
                        "stage", item -> item, StageOptions.io(calls).buffer(1).inputOrder());
            }
        },
        EXECUTOR {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                StageOptions options =
                        StageOptions.on(SOMEBODY_ELSE, calls).buffer(1).inputOrder();
                return items.pipe("stage", item -> item, options);
            }
        },
        ASYNCHRONOUS {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return items.pipeAsync(
                        "stage",
                        item -> CompletableFuture.supplyAsync(() -> item, SOMEBODY_ELSE),
                        StageOptions.async(calls).buffer(1).inputOrder());
            }
        },
        DIVIDED_BY_CPU {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return divided(items, StageOptions.cpu(calls).buffer(1).inputOrder());
            }
        },
        DIVIDED_BY_IO {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return divided(items, StageOptions.io(calls).buffer(1).inputOrder());
            }
        },
        BATCHES {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return CPU.after(items, calls).batch(1 + calls, Remainder.KEEP).unbatch(batch -> batch);
            }
        },
        ELEMENTS {
            @Override
            Pipeline<Long> after(Pipeline<Long> items, int calls) {
                return Pipeline.<Long, Long>routeElements(items.batch(3, Remainder.KEEP), "parity", item -> item % 2)
                        .when(0L, way -> way.pipe("even", item -> item, StageOptions.cpu(calls)))
                        .otherwise(way -> way.pipe("odd", item -> item, StageOptions.io(calls)))
                        .merge()
                        .unbatch(batch -> batch);
            }
        };

        abstract Pipeline<Long> after(Pipeline<Long> items, int calls);

        private static Pipeline<Long> divided(Pipeline<Long> items, StageOptions options) {
            return items.flatMap(
                            "stage",
                            item -> Elements.of(List.of(item, -1L, item).iterator()),
                            options)
                    .batch(3, Remainder.KEEP)
                    .map(parts -> parts.get(0).equals(parts.get(2)) ? parts.get(0) : -2L);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyItemPassesInOrderAndTheRunEnds(Kind kind) {
        for (int round = 0; round < ROUNDS; round++) {
            Pipeline<Long> pipeline = kind.after(Pipeline.from(Sources.range(ITEMS)), 1 + round % 4)
                    .prefetch(1);
            assertThat(Runs.epochs(pipeline, RunOptions.defaults().epochs(2).computeThreads(2)))
                    .as("round %d", round)
                    .containsOnly(Runs.numbers(0, ITEMS))
                    .hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRunThatIsClosedAtAnyMomentEndsAndItsStagesBeginAndEndOnce(Kind kind) {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            Counter counter = new Counter();
            Pipeline<Long> pipeline = kind.after(Pipeline.from(Sources.range(ITEMS)), 1 + round % 4)
                    .prefetch(1);
            int taken = random.nextInt(ITEMS);
            try (Run<Long> run =
                    pipeline.start(RunOptions.defaults().computeThreads(2).observer(counter))) {
                assertThat(Runs.take(run, taken)).as("round %d", round).isEqualTo(Runs.numbers(0, taken));
            }
            assertThat(counter.ended).as("round %d", round).isEqualTo(counter.begun);
            assertThat(counter.ended.values())
                    .as("round %d", round)
                    .allSatisfy(times -> assertThat(times).isEqualTo(1));
        }
    }

    /// How often each stage has begun and ended.
    private static final class Counter implements StageObserver {
        final Map<String, Integer> begun = new ConcurrentHashMap<>();
        final Map<String, Integer> ended = new ConcurrentHashMap<>();

        @Override
        public void stageStarted(String stage) {
            begun.merge(stage, 1, Integer::sum);
        }

        @Override
        public void stageEnded(String stage) {
            ended.merge(stage, 1, Integer::sum);
        }
    }
}
