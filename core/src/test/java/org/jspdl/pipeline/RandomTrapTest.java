package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.resume.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random pipelines in which the user's code throws an error in one kind of place.
///
/// A failure names its seed; `-Dproperty.seed=N` runs that case alone.
@Tag("slow")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class RandomTrapTest {
    private static final long CASES = Campaign.scale(300, 8_000);
    private static final long FIRST = Long.getLong("property.first", 1);
    private static final Duration HANGS_AFTER = Duration.ofSeconds(30);
    private static final Long ONLY = Long.getLong("property.seed");

    @Test
    void whateverThrowsWhereverTheRunEndsWithItAndEverythingIsClosed() {
        long first = ONLY == null ? FIRST : ONLY;
        long last = ONLY == null ? FIRST + CASES - 1 : ONLY;
        for (long seed = first; seed <= last; seed++) {
            SplittableRandom choice = new SplittableRandom(~seed);
            Tracker tracker = new Tracker();
            Trap trap = new Trap(Trap.PLACES.get(choice.nextInt(Trap.PLACES.size())), choice.nextInt(0, 20));
            RandomPipeline random = new RandomPipeline(seed, tracker, false, trap);
            try {
                String told = told(random.make().pipeline(), options(choice, trap));
                // What fails behind the end that a pipeline has asked for is nothing to the consumer.
                boolean cutOff = random.toString().contains(".take(")
                        || random.toString().contains("untilFirstEnds");
                if (!cutOff || !told.isEmpty()) {
                    assertThat(told.contains(Trap.MESSAGE)).as("told: %s", told).isEqualTo(trap.hasSprung());
                }
                random.awaitCallsThatWereGivenUp();
                tracker.assertEachClosedOnce();
            } catch (Throwable failure) {
                throw new AssertionError(
                        "-Dproperty.seed=" + seed + ", " + trap + " of " + random + ": " + failure.getMessage(),
                        failure);
            }
        }
    }

    private static RunOptions options(SplittableRandom choice, Trap trap) {
        RunOptions options = RunOptions.defaults()
                .observer(trap)
                .failures(trap.guarded(FailurePolicy.skip(Long.MAX_VALUE)))
                .grace(HANGS_AFTER);
        return choice.nextBoolean() ? options : options.computeThreads(choice.nextInt(1, 4));
    }

    /// What the consumer hears of a failure; empty if there is none.
    private static String told(Pipeline<Tracker.Item> pipeline, RunOptions options) throws InterruptedException {
        try (Run<Tracker.Item> run = pipeline.start(options)) {
            while (!run.epochEnded()) {
                Optional<Tracker.Item> item = run.poll(HANGS_AFTER);
                item.ifPresent(Tracker.Item::close);
                if (item.isEmpty() && !run.epochEnded()) {
                    throw new AssertionError("it hangs: " + run.stats());
                }
            }
            return "";
        } catch (PipelineException failure) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }
    }
}
