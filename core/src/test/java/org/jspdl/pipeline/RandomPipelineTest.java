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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random pipelines against their models: nothing lost, repeated, out of order or left open, however a run ends.
///
/// A failure names its seed; `-Dproperty.seed=N` runs that case alone.
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RandomPipelineTest {
    private static final long CASES = Campaign.scale(150, 5_000);
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);
    private static final Long ONLY = Long.getLong("property.seed");

    @FunctionalInterface
    private interface Case {
        void check(RandomPipeline random, SplittableRandom choice) throws InterruptedException;
    }

    private static void forAllSeeds(boolean mayFail, Case property) {
        long first = ONLY == null ? 1 : ONLY;
        long last = ONLY == null ? CASES : ONLY;
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
                    List<Long> delivered = consume(run, Integer.MAX_VALUE);
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
                assertIsPart(consume(run, taken), made);
            }
        });
    }

    @Test
    void leavingAnEpochAtARandomMomentDoesNotTouchTheNext() {
        forAllSeeds(false, (random, choice) -> {
            Modelled made = random.make();
            int taken = choice.nextInt(0, made.expected().size() + 1);
            try (Run<Tracker.Item> run = made.pipeline().start(options(choice).epochs(2))) {
                assertIsPart(consume(run, taken), made);
                assertThat(run.nextEpoch()).isTrue();
                assertThat(consume(run, Integer.MAX_VALUE))
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
                    assertThat(consumeWatched(run))
                            .as("epoch %d of %s with %s", epoch, random, budget)
                            .containsExactlyInAnyOrderElementsOf(made.expected());
                    assertThat(run.nextEpoch()).isEqualTo(epoch + 1 < epochs);
                }
                BudgetStats stats = run.stats().budget();
                assertThat(stats.usedBytes()).as("%s", random).isZero();
                if (declared) {
                    assertThat(stats.peakBytes())
                            .as("%s", random)
                            .isLessThanOrEqualTo(budget.bytes() + stats.admittedBeyond() * HEAVIEST);
                    if (!random.gathers()) {
                        assertThat(stats.admittedBeyond()).as("%s", random).isZero();
                    }
                }
            }
        });
    }

    private static List<Long> consumeWatched(Run<Tracker.Item> run) throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        while (true) {
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
    }

    private static RunOptions options(SplittableRandom choice) {
        return choice.nextBoolean()
                ? RunOptions.defaults()
                : RunOptions.defaults().computeThreads(choice.nextInt(1, 4));
    }

    private static List<Long> consume(Run<Tracker.Item> run, int count) {
        List<Tracker.Item> items = Runs.take(run, count);
        items.forEach(Tracker.Item::close);
        return items.stream().map(Tracker.Item::id).toList();
    }

    private static void assertIsPart(List<Long> part, Modelled whole) {
        if (whole.ordered() && !part.isEmpty()) {
            assertThat(whole.expected()).containsSubsequence(part.toArray(Long[]::new));
        } else {
            assertThat(part).doesNotHaveDuplicates().isSubsetOf(whole.expected());
        }
    }
}
