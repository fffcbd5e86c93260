package org.jspdl.observe.alarm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspdl.observe.Interval;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.Bottleneck;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

/// Intervals of a quarter of a second, in which the consumer waited for a part of the time.
class StarvationAlarmTest {
    private static final PipelineStats STATS = Tandem.from(0).io("read", 1, 1).consume(1_000, 0.01);

    private final List<Starvation> told = new ArrayList<>();
    private StarvationAlarm alarm = StarvationAlarm.calling(told::add);
    private double now;

    private void seconds(double seconds, double waiting) {
        double end = now + seconds;
        while (now < end - 1e-9) {
            now += 0.25;
            alarm.accept(interval(Math.clamp(waiting, 0, 1)));
        }
    }

    private Interval interval(double waiting) {
        Duration elapsed = Duration.ofMillis(250);
        PipelineStats stats = new PipelineStats(
                STATS.pipeline(),
                elapsed,
                STATS.delivered(),
                0,
                0,
                Duration.ofNanos(Math.round(waiting * elapsed.toNanos())),
                Duration.ofNanos(Math.round((1 - waiting) * elapsed.toNanos())),
                STATS.consumerTimes(),
                STATS.computeThreads(),
                STATS.budget(),
                STATS.changes(),
                STATS.tuning(),
                STATS.stages(),
                STATS.links());
        ProcessUsage usage = VirtualProcess.idle().around(stats, Map.of()).usage();
        return new Interval(Duration.ofNanos(Math.round(now * 1e9)), Math.round(now * 1e9), stats, usage);
    }

    @Test
    void aRiseIsToldOnceWithWhatLimitsTheRunAndItsEndTooOnce() {
        seconds(60, 0.02);
        assertThat(told).isEmpty();

        seconds(40, 0.4);
        assertThat(told).singleElement().satisfies(rise -> {
            assertThat(rise.kind()).isEqualTo(Starvation.Kind.ROSE);
            assertThat(rise.at()).isBetween(Duration.ofSeconds(61), Duration.ofSeconds(70));
            assertThat(rise.before()).isBetween(0.019, 0.021);
            assertThat(rise.waited()).isGreaterThanOrEqualTo(0.07);
            assertThat(rise.bottleneck().kind()).isEqualTo(Bottleneck.Kind.STAGE);
            assertThat(rise.toString()).contains("before. Bottleneck: stage 'read'");
        });

        seconds(40, 0.02);
        assertThat(told).extracting(Starvation::kind).containsExactly(Starvation.Kind.ROSE, Starvation.Kind.ENDED);
        assertThat(told.getLast().at()).isBetween(Duration.ofSeconds(101), Duration.ofSeconds(111));
    }

    @Test
    void whatRisesAgainIsToldAgainAgainstTheTimeBeforeTheFirstRise() {
        seconds(60, 0.02);
        for (int i = 0; i < 3; i++) {
            seconds(40, 0.3);
            seconds(40, 0.02);
        }

        assertThat(told).hasSize(6);
        assertThat(told)
                .filteredOn(each -> each.kind() == Starvation.Kind.ROSE)
                .allSatisfy(rise -> assertThat(rise.before()).isLessThan(0.06));
    }

    @Test
    void aRunThatIsStarvedAllAlongOrWhileItWarmsUpRaisesNoAlarm() {
        seconds(10, 1);
        seconds(100, 0.7);

        assertThat(told).isEmpty();
    }

    @Test
    void noiseRaisesNoAlarm() {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < 4_000; i++) {
            seconds(0.25, 0.1 * random.nextDouble());
        }
        for (int i = 0; i < 100; i++) {
            seconds(0.25, i % 40 == 0 ? 1 : 0.05); // one stall of a quarter of a second in ten
        }

        assertThat(told).isEmpty();
    }

    @Test
    void aSmallerRiseAndAShorterWindowCanBeAskedFor() {
        alarm = alarm.rise(0.02).window(Duration.ofSeconds(2));
        seconds(20, 0.01);
        seconds(5, 0.04);

        assertThat(told).hasSize(1);
        assertThat(told.getFirst().at()).isLessThanOrEqualTo(Duration.ofSeconds(22));
    }

    @Test
    void whatCanNotBeIsRefused() {
        assertThatThrownBy(() -> alarm.rise(0)).hasMessageContaining("rise must be above 0 and below 1 but was 0.0");
        assertThatThrownBy(() -> alarm.rise(Double.NaN)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> alarm.window(Duration.ofMillis(999))).hasMessageContaining("at least 1 s");
    }
}
