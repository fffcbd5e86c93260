package org.jspdl.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspdl.cli.run.ThroughputEstimate;
import org.jspdl.cli.tune.TuneSession.Outcome;
import org.jspdl.cli.tune.TuneSession.Purpose;
import org.junit.jupiter.api.Test;

/// Sessions with a clock of their own.
class TuneSessionTest {
    private static final Knob READ = new Knob("read", Knob.Kind.WORKERS, 1, 64, 2);
    private static final Duration TIME = Duration.ofMinutes(5);

    private long now;
    private int measured;

    private TuneSession session(ToDoubleFunction<Setting> rate, int interruptedAt) {
        return new TuneSession(
                List.of(READ),
                (setting, time) -> {
                    if (++measured == interruptedAt) {
                        throw new InterruptedException();
                    }
                    now += time.toNanos();
                    return new Trials.Trial(
                            setting,
                            Optional.of(new ThroughputEstimate.Result(rate.applyAsDouble(setting), 1, 100, time)),
                            1,
                            true);
                },
                () -> now);
    }

    @Test
    void theBestIsMeasuredAgainInAlternationWithTheStartWithinTheTime() {
        Outcome outcome = session(each -> Math.min(32, each.of(READ)), 0).run(TIME, _ -> {});

        assertThat(outcome.best().orElseThrow().of(READ)).isEqualTo(32);
        assertThat(outcome.gain()).contains(16.0);
        assertThat(outcome.steps().getFirst().purpose()).isEqualTo(Purpose.WARM_UP);
        assertThat(outcome.steps().stream()
                        .filter(step -> step.purpose() == Purpose.CHECK)
                        .map(step -> step.trial().setting().of(READ)))
                .containsExactly(2, 32, 2, 32);
        assertThat(now).isLessThanOrEqualTo(TIME.toNanos());
        assertThat(TuneTable.end(outcome)).contains("Best after", "read 32", "+1500 %");
    }

    @Test
    void whatSeemedBetterAndIsNotWhenMeasuredAgainIsGivenUp() {
        int[] calls = {0};
        Outcome outcome = session(each -> each.of(READ) == 4 ? (calls[0]++ == 0 ? 100 : 5) : 10, 0)
                .run(TIME, _ -> {});

        assertThat(outcome.best()).contains(outcome.start());
        assertThat(TuneTable.end(outcome)).startsWith("Nothing better than the start after");
    }

    @Test
    void anInterruptKeepsTheBestSoFar() {
        Outcome outcome = session(each -> each.of(READ), 5).run(TIME, _ -> {});

        assertThat(outcome.interrupted()).isTrue();
        assertThat(outcome.steps()).hasSize(4);
        assertThat(outcome.best().orElseThrow().of(READ)).isEqualTo(8);
        assertThat(outcome.gain()).isEmpty();
    }

    @Test
    void aSearchOfAMinuteKeepsToItsTime() {
        Outcome outcome = session(each -> each.of(READ) % 7, 0).run(Duration.ofMinutes(1), _ -> {});

        assertThat(now).isLessThanOrEqualTo(Duration.ofMinutes(1).toNanos());
        assertThat(outcome.steps()).hasSizeGreaterThan(5);
    }
}
