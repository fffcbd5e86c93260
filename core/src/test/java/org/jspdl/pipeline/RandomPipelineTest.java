package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.jspdl.pipeline.RandomPipeline.HEAVIEST;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.RandomPipeline.Modelled;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.stats.BudgetStats;
import org.jspdl.stats.StageStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random pipelines against their models: nothing lost, repeated, out of order or left open, however a run ends.
///
/// A failure names its seed; `-Dproperty.seed=N` runs that case alone.
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RandomPipelineTest {
    private static final long CASES = Campaign.scale(150, 4_000);
    /// The first seed, for a campaign in pieces: the five tests take as many cases from there on each.
    private static final long FIRST = Long.getLong("property.first", 1);
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);
    private static final Long ONLY = Long.getLong("property.seed");

    @FunctionalInterface
    private interface Case {
        void check(RandomPipeline random, SplittableRandom choice) throws InterruptedException;
    }

    private static void forAllSeeds(boolean mayFail, Case property) {
        long first = ONLY == null ? FIRST : ONLY;
        long last = ONLY == null ? FIRST + Long.getLong("property.cases", CASES) - 1 : ONLY;
        for (long seed = first; seed <= last; seed++) {
            Tracker tracker = new Tracker();
            RandomPipeline random = new RandomPipeline(seed, tracker, mayFail);
            try {
                property.check(random, new SplittableRandom(~seed));
                random.awaitCallsThatWereGivenUp();
                tracker.assertEachClosedOnce();
            } catch (Throwable failure) {
                throw new AssertionError(
                        "-Dproperty.seed=" + seed + ", " + random + ": " + failure.getMessage(), failure);
            }
        }
    }

    @Test
    void aRunThatIsReadToItsEndDeliversWhatTheModelSays() {
        forAllSeeds(false, (random, choice) -> {
            Modelled made = random.make();
            long epochs = choice.nextInt(1, 4);
            try (Run<Tracker.Item> run = made.pipeline().start(options(choice).epochs(epochs))) {
                for (long epoch = 0; epoch < epochs; epoch++) {
                    List<Long> delivered = consume(run, Integer.MAX_VALUE, choice);
                    if (made.ordered()) {
                        assertThat(delivered)
                                .as("epoch %d of %s", epoch, random)
                                .isEqualTo(made.expected());
                    } else {
                        assertThat(delivered)
                                .as("epoch %d of %s", epoch, random)
                                .containsExactlyInAnyOrderElementsOf(made.expected());
                    }
                    assertThat(run.nextEpoch()).isEqualTo(epoch + 1 < epochs);
                }
            }
        });
    }

    @Test
    void aRunThatIsClosedAtARandomMomentDeliversAPartAndClosesTheRest() {
        forAllSeeds(false, (random, choice) -> {
            Modelled made = random.make();
            int taken = choice.nextInt(0, made.expected().size() + 2);
            try (Run<Tracker.Item> run = made.pipeline().start(options(choice).epochs(3))) {
                assertIsPart(consume(run, taken, choice), made);
            }
        });
    }

    @Test
    void leavingEpochsAtRandomMomentsDoesNotTouchTheOthers() {
        forAllSeeds(false, (random, choice) -> {
            Modelled made = random.make();
            int epochs = choice.nextInt(2, 5);
            try (Run<Tracker.Item> run = made.pipeline().start(options(choice).epochs(epochs))) {
                for (int epoch = 1; epoch < epochs; epoch++) {
                    int taken = choice.nextInt(0, made.expected().size() + 1);
                    assertIsPart(consume(run, taken, choice), made);
                    assertThat(run.nextEpoch()).isTrue();
                }
                assertThat(consume(run, Integer.MAX_VALUE, choice))
                        .as("%s", random)
                        .containsExactlyInAnyOrderElementsOf(made.expected());
            }
        });
    }

    @Test
    void aFailureReachesTheConsumerAndNothingElseIsLost() {
        forAllSeeds(true, (random, choice) -> {
            Modelled made = random.make();
            List<Long> delivered = new ArrayList<>();
            try (Run<Tracker.Item> run = made.pipeline().start(options(choice))) {
                for (Tracker.Item item : run) {
                    delivered.add(item.id());
                    item.close();
                }
                if (random.fails()) {
                    fail("the injected failure did not reach the consumer of " + random);
                }
            } catch (PipelineException expected) {
                assertThat(random.fails())
                        .as("%s failed: %s", random, expected.getMessage())
                        .isTrue();
                assertThat(expected).hasMessageContaining("injected failure");
            }
            assertIsPart(delivered, made);
        });
    }

    @Test
    void aByteBudgetHoldsNoRunUp() {
        forAllSeeds(false, (random, choice) -> {
            Modelled made = choice.nextInt(3) == 0 ? random.make() : random.makeJoined();
            long epochs = choice.nextInt(1, 4);
            boolean declared = choice.nextBoolean();
            ByteBudget budget = declared
                    ? new ByteBudget(8 * HEAVIEST + choice.nextInt(200), HEAVIEST)
                    : new ByteBudget(choice.nextInt(1, 100), 0);
            RunOptions options = options(choice).epochs(epochs).byteBudget(budget);
            try (Run<Tracker.Item> run = made.pipeline().start(options)) {
                for (long epoch = 0; epoch < epochs; epoch++) {
                    assertThat(consume(run, Integer.MAX_VALUE, choice))
                            .as("epoch %d of %s with %s", epoch, random, budget)
                            .containsExactlyInAnyOrderElementsOf(made.expected());
                    assertThat(run.nextEpoch()).isEqualTo(epoch + 1 < epochs);
                }
                BudgetStats stats = run.stats().budget();
                if (!random.cuts()) {
                    assertThat(stats.usedBytes()).as("%s", random).isZero();
                }
                if (declared) {
                    assertThat(stats.peakBytes())
                            .as("%s", random)
                            .isLessThanOrEqualTo(budget.bytes() + stats.admittedBeyond() * HEAVIEST);
                    if (!random.batches()) {
                        assertThat(stats.peakBytes())
                                .as("%s", random)
                                .isLessThanOrEqualTo(budget.bytes() + random.inputs() * HEAVIEST);
                    }
                    if (!random.gathers()) {
                        assertThat(stats.admittedBeyond()).as("%s", random).isZero();
                    }
                }
            }
        });
    }

    /// Takes at most `most` items of the epoch, and changes the run now and then.
    private static List<Long> consume(Run<Tracker.Item> run, int most, SplittableRandom choice)
            throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        int tuneEvery = choice.nextInt(3) == 0 ? choice.nextInt(1, 20) : Integer.MAX_VALUE;
        while (ids.size() < most) {
            if (ids.size() % tuneEvery == tuneEvery - 1) {
                tune(run, choice);
            }
            Optional<Tracker.Item> item = run.poll(HANGS_AFTER);
            if (item.isPresent()) {
                ids.add(item.get().id());
                item.get().close();
            } else if (run.epochEnded()) {
                return ids;
            } else {
                throw new AssertionError("it hangs after " + ids.size() + " items: " + run.stats());
            }
        }
        return ids;
    }

    private static void tune(Run<Tracker.Item> run, SplittableRandom choice) {
        List<StageStats> stages = run.stats().stages();
        StageStats stage = stages.get(choice.nextInt(stages.size()));
        if (choice.nextBoolean()) {
            run.tune(new Tuning.Buffer(stage.name(), choice.nextInt(1, 9)));
            return;
        }
        try {
            run.tune(new Tuning.Concurrency(stage.name(), choice.nextInt(1, 6)));
        } catch (IllegalArgumentException fixed) {
            assertThat(fixed).hasMessageContaining("can't be changed");
        }
    }

    private static RunOptions options(SplittableRandom choice) {
        RunOptions options = choice.nextBoolean()
                ? RunOptions.defaults()
                : RunOptions.defaults().computeThreads(choice.nextInt(1, 4));
        return choice.nextInt(3) > 0 ? options : options.byteBudget(new ByteBudget(choice.nextInt(1, 100), 0));
    }

    private static void assertIsPart(List<Long> part, Modelled whole) {
        if (whole.ordered() && !part.isEmpty()) {
            assertThat(whole.expected()).containsSubsequence(part.toArray(Long[]::new));
        } else {
            assertThat(part).doesNotHaveDuplicates().isSubsetOf(whole.expected());
        }
    }
}
