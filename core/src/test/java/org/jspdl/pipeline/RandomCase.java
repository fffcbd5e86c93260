package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspdl.pipeline.RandomPipeline.Modelled;
import org.jspdl.stats.StageStats;

/// A random pipeline and what is done with its run, both drawn from a seed.
///
/// A failure names its seed: `-Dproperty.seed=N` runs that case alone, `-Dproperty.first=N` and `-Dproperty.cases=N` a
/// piece of a campaign.
final class RandomCase {
    private static final long FIRST = Long.getLong("property.first", 1);
    private static final Long ONLY = Long.getLong("property.seed");
    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofDays(1);

    final Trap trap;
    final RandomPipeline random;
    /// Draws what is done with the run.
    final SplittableRandom choice;
    private final Watchdog watchdog;

    private RandomCase(long seed, Tracker tracker, Kind kind, Watchdog watchdog) {
        this.choice = new SplittableRandom(~seed);
        this.trap = switch (kind) {
            case SOUND, FAILING -> Trap.NONE;
            case TRAPPED -> drawTrap();
            case ANY -> choice.nextBoolean() ? Trap.NONE : drawTrap();
        };
        boolean mayFail = kind == Kind.FAILING || (kind == Kind.ANY && choice.nextBoolean());
        this.random = new RandomPipeline(seed, tracker, mayFail, trap);
        this.watchdog = watchdog;
    }

    /// What the pipelines of a property have.
    enum Kind {
        /// Only failures that policies survive.
        SOUND,
        /// A function that fails fast, perhaps.
        FAILING,
        /// An error from user code in one kind of place, perhaps.
        TRAPPED,
        /// Any of these.
        ANY
    }

    /// What holds for every case.
    @FunctionalInterface
    interface Property {
        /// Checks it for one.
        void check(RandomCase drawn) throws InterruptedException;
    }

    /// Checks `property` for as many seeds, and that every item was closed once.
    static void forAll(long cases, Kind kind, Property property) {
        long first = ONLY == null ? FIRST : ONLY;
        long last = ONLY == null ? FIRST + Long.getLong("property.cases", cases) - 1 : ONLY;
        try (Watchdog watchdog = new Watchdog()) {
            for (long seed = first; seed <= last; seed++) {
                Tracker tracker = new Tracker();
                RandomCase drawn = new RandomCase(seed, tracker, kind, watchdog);
                try {
                    property.check(drawn);
                    drawn.random.awaitCallsThatWereGivenUp();
                    tracker.assertEachClosedOnce();
                } catch (Throwable failure) {
                    throw new AssertionError(
                            "-Dproperty.seed=" + seed + ", " + drawn + ": " + failure.getMessage(), failure);
                }
            }
        }
    }

    private Trap drawTrap() {
        return new Trap(Trap.PLACES.get(choice.nextInt(Trap.PLACES.size())), choice.nextInt(0, 40));
    }

    /// Options of a run that survives what policies can skip: any number of compute threads, and every third time a
    /// byte budget from less than one item up.
    RunOptions options() {
        RunOptions options = RunOptions.defaults()
                .failures(trap.guarded(FailurePolicy.skip(Long.MAX_VALUE)))
                .grace(GRACE);
        options = trap == Trap.NONE ? options : options.observer(trap);
        options = choice.nextBoolean() ? options : options.computeThreads(choice.nextInt(1, 4));
        return choice.nextInt(3) > 0 ? options : options.byteBudget(new ByteBudget(choice.nextInt(1, 100), 0));
    }

    /// Takes at most `most` items of the epoch in one way or another, and changes the run now and then.
    List<Long> consume(Run<Tracker.Item> run, int most) throws InterruptedException {
        return watchdog.watch(run, () -> taken(run, most));
    }

    /// Goes on to the next epoch.
    boolean nextEpoch(Run<Tracker.Item> run) throws InterruptedException {
        return watchdog.watch(run, run::nextEpoch);
    }

    private List<Long> taken(Run<Tracker.Item> run, int most) throws InterruptedException {
        List<Long> ids = new ArrayList<>();
        int tuneEvery = choice.nextInt(3) == 0 ? choice.nextInt(1, 20) : Integer.MAX_VALUE;
        boolean polls = choice.nextBoolean();
        Iterator<Tracker.Item> items = run.iterator();
        while (ids.size() < most) {
            if (ids.size() % tuneEvery == tuneEvery - 1) {
                tune(run);
            }
            Optional<Tracker.Item> item =
                    polls ? run.poll(LONG) : items.hasNext() ? Optional.of(items.next()) : Optional.empty();
            if (item.isEmpty()) {
                assertThat(run.epochEnded()).isTrue();
                return ids;
            }
            ids.add(item.get().id());
            item.get().close();
        }
        return ids;
    }

    private void tune(Run<Tracker.Item> run) {
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

    /// Checks that `delivered` is what the model says of an epoch.
    static void assertWhole(List<Long> delivered, Modelled made) {
        if (made.ordered()) {
            assertThat(delivered).isEqualTo(made.expected());
        } else {
            assertThat(delivered).containsExactlyInAnyOrderElementsOf(made.expected());
        }
    }

    /// Checks that nothing of `part` is foreign, repeated or out of order.
    static void assertPart(List<Long> part, Modelled whole) {
        if (whole.ordered() && !part.isEmpty()) {
            assertThat(whole.expected()).containsSubsequence(part.toArray(Long[]::new));
        } else {
            assertThat(part).doesNotHaveDuplicates().isSubsetOf(whole.expected());
        }
    }

    @Override
    public String toString() {
        return (trap == Trap.NONE ? "" : trap + " of ") + random;
    }
}
