package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.observe.Interval;
import org.jspdl.observe.Report;
import org.jspdl.observe.diagnosis.Diagnosis;
import org.jspdl.observe.diagnosis.Evidence;
import org.jspdl.observe.diagnosis.Limit;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.Latency;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a reader of a report sees, of plain runs and of each fault, in virtual time: shares are shares, rates of
/// batches and of images stand beside each other, and something is named that limits.
class ReportFiguresTest {
    private static final Pattern PERCENT = Pattern.compile("([+-]?)([0-9][0-9.,]*) ?%");

    static Stream<Evidence> plain() {
        return Stream.of(
                process(0.3).around(Tandem.from(0).cpu("decode", 2, 1).batch(8).consume(200, 40), Map.of()),
                process(2).around(Tandem.from(0).cpu("decode", 2, 4).batch(8).consume(200, 0.1), Map.of()),
                process(0.1)
                        .around(
                                Tandem.from(0)
                                        .io("read", 4, 20)
                                        .cpu("decode", 2, 1)
                                        .batch(8)
                                        .consume(200, 1),
                                Map.of("read", new Evidence.Work(0.02, 0, 0.97, ""))),
                process(0.5).around(Tandem.from(5).cpu("decode", 2, 1).batch(8).consume(200, 1), Map.of()),
                process(1).around(Tandem.from(0).cpu("decode", 1, 3).batch(4).consume(300, 12), Map.of()));
    }

    static Stream<Evidence> faults() {
        return Stream.of(Fault.values())
                .flatMap(fault -> Stream.of(false, true)
                        .map(remedied -> new VirtualFault(FaultCase.of(fault.ordinal()), remedied).evidence()));
    }

    private static VirtualProcess process(double used) {
        return VirtualProcess.using(used);
    }

    private static Report report(Evidence evidence) {
        PipelineStats stats = evidence.stats();
        Interval whole = new Interval(stats.elapsed(), stats.elapsed().toNanos(), stats, evidence.usage());
        return new Report(
                        Instant.EPOCH,
                        whole,
                        whole,
                        List.of(whole),
                        Map.of(),
                        List.of(),
                        evidence.usage(),
                        Diagnosis.of(evidence),
                        new Report.Items("", 0))
                .counting("images", 8);
    }

    @ParameterizedTest
    @MethodSource({"plain", "faults"})
    void noShareIsAboveTheWholeInAnyFormOfTheReport(Evidence evidence) {
        Report report = report(evidence);

        for (String form : List.of(report.text(), report.html())) {
            Matcher each = PERCENT.matcher(withoutStyle(form));
            while (each.find()) {
                double percent = Double.parseDouble(each.group(2).replace(",", ""));
                // With a sign it is a gain.
                assertThat(each.group(1).isEmpty() ? percent : 0)
                        .as("%s in %s", each.group(), around(form, each.group()))
                        .isBetween(0.0, 100.0);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("plain")
    void somethingIsNamedThatLimitsAPlainRun(Evidence evidence) {
        Report report = report(evidence);

        assertThat(report.diagnosis().first().limit()).isNotEqualTo(Limit.UNKNOWN);
        assertThat(report.text()).doesNotContain(Limit.UNKNOWN.label()).doesNotContainIgnoringCase("unknown (");
    }

    /// What would help is told in the units in which the run is.
    @ParameterizedTest
    @MethodSource({"plain", "faults"})
    void ratesOfImagesStandBesideThoseOfBatches(Evidence evidence) {
        String text = report(evidence).text();

        assertThat(text).containsPattern("batches/s \\([0-9.,]+ images/s\\)");
        if (text.contains("what would help")) {
            assertThat(text.lines().filter(line -> line.contains("what would help")))
                    .allSatisfy(line -> assertThat(line).contains("batches/s").contains("images/s"));
        }
    }

    /// Whose workers were fewer at the end than before.
    @Test
    void aStageThatWasTunedDownHasNoShareAboveTheWhole() {
        StageStats tuned = new StageStats(
                "decode",
                "cpu",
                1,
                1_000,
                0,
                0,
                Duration.ofSeconds(50),
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                Duration.ofSeconds(15),
                Latency.of(new long[Latency.BUCKETS], 0),
                0);
        Duration elapsed = Duration.ofSeconds(10);

        assertThat(tuned.busyShare(elapsed)).isBetween(0.0, 1.0);
        assertThat(tuned.busyShare(elapsed)
                        + tuned.starvedShare(elapsed)
                        + tuned.backpressuredShare(elapsed)
                        + tuned.waitingForCpuShare(elapsed))
                .isLessThanOrEqualTo(1.000_001);
    }

    private static String withoutStyle(String page) {
        return page.replaceAll("(?s)<style>.*?</style>", "").replaceAll("(?s)<script.*?</script>", "");
    }

    private static String around(String text, String part) {
        int at = text.indexOf(part);
        return text.substring(Math.max(0, at - 80), Math.min(text.length(), at + 80));
    }
}
