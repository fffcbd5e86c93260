package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.jspdl.pipeline.RandomCase.Kind.ANY;
import static org.jspdl.pipeline.RandomCase.Kind.FAILING;
import static org.jspdl.pipeline.RandomCase.Kind.SOUND;
import static org.jspdl.pipeline.RandomCase.Kind.TRAPPED;
import static org.jspdl.pipeline.RandomCase.assertPart;
import static org.jspdl.pipeline.RandomCase.assertWhole;
import static org.jspdl.pipeline.RandomCase.forAll;
import static org.jspdl.pipeline.RandomPipeline.HEAVIEST;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.RandomPipeline.Modelled;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.stats.BudgetStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random pipelines against their models: nothing hangs, and nothing is lost, repeated, out of order or left open,
/// however a run ends.
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class RandomPipelineTest {
    private static final long CASES = Campaign.scale(120, 4_000);
    private static final int ALL = Integer.MAX_VALUE;

    @Test
    void aRunThatIsReadToItsEndDeliversWhatTheModelSays() {
        forAll(CASES, SOUND, drawn -> {
            Modelled made = drawn.random.make();
            long epochs = drawn.choice.nextInt(1, 4);
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options().epochs(epochs))) {
                for (long epoch = 0; epoch < epochs; epoch++) {
                    assertWhole(drawn.consume(run, ALL), made);
                    assertThat(drawn.nextEpoch(run)).isEqualTo(epoch + 1 < epochs);
                }
            }
        });
    }

    @Test
    @SuppressWarnings("try") // what is left after the close is looked at
    void aRunThatIsClosedAtARandomMomentDeliversAPartAndClosesTheRest() {
        forAll(CASES, SOUND, drawn -> {
            Modelled made = drawn.random.make();
            int taken = drawn.choice.nextInt(0, made.expected().size() + 2);
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options().epochs(3))) {
                assertPart(drawn.consume(run, taken), made);
                run.close();
                assertThat(run.stats().budget().usedBytes()).isZero();
            }
        });
    }

    @Test
    void leavingEpochsAtRandomMomentsDoesNotTouchTheOthers() {
        forAll(CASES, SOUND, drawn -> {
            Modelled made = drawn.random.make();
            int epochs = drawn.choice.nextInt(2, 5);
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options().epochs(epochs))) {
                for (int epoch = 1; epoch < epochs; epoch++) {
                    int taken = drawn.choice.nextInt(0, made.expected().size() + 1);
                    assertPart(drawn.consume(run, taken), made);
                    assertThat(drawn.nextEpoch(run)).isTrue();
                }
                assertWhole(drawn.consume(run, ALL), made);
            }
        });
    }

    @Test
    void aFailureReachesTheConsumerAndNothingElseIsLost() {
        forAll(CASES, FAILING, drawn -> {
            Modelled made = drawn.random.make();
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options())) {
                assertPart(drawn.consume(run, ALL), made);
                if (drawn.random.fails()) {
                    fail("the injected failure did not reach the consumer");
                }
            } catch (PipelineException expected) {
                assertThat(drawn.random.fails())
                        .as("failed: %s", expected.getMessage())
                        .isTrue();
                assertThat(expected).hasMessageContaining("injected failure");
            }
        });
    }

    @Test
    void whateverThrowsWhereverTheRunEndsWithIt() {
        forAll(CASES, TRAPPED, drawn -> {
            Modelled made = drawn.random.make();
            String told = "";
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options())) {
                assertPart(drawn.consume(run, ALL), made);
            } catch (PipelineException failure) {
                told = trace(failure);
            }
            // What fails behind the end that a pipeline has asked for is nothing to the consumer.
            if (!drawn.random.cuts() || !told.isEmpty()) {
                assertThat(told.contains(Trap.MESSAGE)).as("told: %s", told).isEqualTo(drawn.trap.hasSprung());
            }
        });
    }

    @Test
    void anyTroublesTogetherHangNoRunAndHideNoFailure() {
        forAll(2 * CASES, ANY, drawn -> {
            Modelled made = drawn.choice.nextInt(3) == 0 ? drawn.random.makeJoined() : drawn.random.make();
            int epochs = drawn.choice.nextInt(1, 5);
            boolean whole = true;
            String told = "";
            try (Run<Tracker.Item> run = made.pipeline().start(drawn.options().epochs(epochs))) {
                for (int epoch = 0; epoch < epochs; epoch++) {
                    boolean leaves = drawn.choice.nextInt(3) == 0;
                    int taken = leaves ? drawn.choice.nextInt(0, made.expected().size() + 1) : ALL;
                    List<Long> delivered = drawn.consume(run, taken);
                    if (leaves) {
                        whole = false;
                        assertPart(delivered, made);
                    } else {
                        assertWhole(delivered, made);
                    }
                    assertThat(drawn.nextEpoch(run)).isEqualTo(epoch + 1 < epochs);
                }
            } catch (PipelineException failure) {
                told = trace(failure);
                assertThat(drawn.random.fails() || drawn.trap.hasSprung())
                        .as("told: %s", told)
                        .isTrue();
                assertThat(told).containsAnyOf("injected failure", Trap.MESSAGE);
            }
            if (whole && !drawn.random.cuts() && (drawn.random.fails() || drawn.trap.hasSprung())) {
                assertThat(told).as("what the consumer heard").isNotEmpty();
            }
        });
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    @Test
    @SuppressWarnings("try") // what is left after the close is looked at
    void aByteBudgetHoldsNoRunUp() {
        forAll(CASES, SOUND, drawn -> {
            Modelled made = drawn.choice.nextInt(3) == 0 ? drawn.random.make() : drawn.random.makeJoined();
            long epochs = drawn.choice.nextInt(1, 4);
            boolean declared = drawn.choice.nextBoolean();
            ByteBudget budget = declared
                    ? new ByteBudget(8 * HEAVIEST + drawn.choice.nextInt(200), HEAVIEST)
                    : new ByteBudget(drawn.choice.nextInt(1, 100), 0);
            RunOptions options = drawn.options().epochs(epochs).byteBudget(budget);
            try (Run<Tracker.Item> run = made.pipeline().start(options)) {
                for (long epoch = 0; epoch < epochs; epoch++) {
                    assertWhole(drawn.consume(run, ALL), made);
                    assertThat(drawn.nextEpoch(run)).isEqualTo(epoch + 1 < epochs);
                }
                assertWithin(budget, declared, run.stats().budget(), drawn.random);
                run.close();
                assertThat(run.stats().budget().usedBytes()).isZero();
            }
        });
    }

    private static void assertWithin(ByteBudget budget, boolean declared, BudgetStats stats, RandomPipeline random) {
        if (!random.cuts()) {
            assertThat(stats.usedBytes()).isZero();
        }
        if (declared) {
            assertThat(stats.peakBytes()).isLessThanOrEqualTo(budget.bytes() + stats.admittedBeyond() * HEAVIEST);
            if (!random.batches()) {
                assertThat(stats.peakBytes()).isLessThanOrEqualTo(budget.bytes() + random.inputs() * HEAVIEST);
            }
            if (!random.gathers()) {
                assertThat(stats.admittedBeyond()).isZero();
            }
        }
    }
}
