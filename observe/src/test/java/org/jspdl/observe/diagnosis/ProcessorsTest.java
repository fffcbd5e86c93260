package org.jspdl.observe.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

/// What is said of a stage that computes, on two processors that it has to itself, or not.
class ProcessorsTest {
    @Test
    void twiceTheProcessorsAreWorthTwiceTheRateWhereTheyAreTheLimit() {
        Finding first = diagnose(1, VirtualProcess.using(2), 1);

        assertThat(first.limit()).isEqualTo(Limit.CPU);
        assertThat(first.stage()).isEqualTo("work");
        assertThat(gain(first, Remedy.Kind.MORE_PROCESSORS)).isCloseTo(2, Percentage.withPercentage(2));
    }

    @Test
    void otherProcessesAreTheLimitWhereThreadsWaitForThem() {
        Finding first = diagnose(2.5, new VirtualProcess(0.8, 1.2, 0, 1.5, 0), 0.4);

        assertThat(first.limit()).isEqualTo(Limit.OTHER_PROCESSES);
        assertThat(first.evidence())
                .startsWith("they used 1.2 of 2 processors, and")
                .contains("60 %");
        assertThat(gain(first, Remedy.Kind.NO_OTHER_PROCESSES)).isCloseTo(2.5, Percentage.withPercentage(5));
    }

    @Test
    void theMostEffectiveRemedyComesFirst() {
        List<Remedy> remedies = List.of(
                new Remedy(Remedy.Kind.NO_OTHER_PROCESSES, "", "less", 12, 1.2),
                new Remedy(Remedy.Kind.MORE_PROCESSORS, "", "more", 19, 1.9));

        Finding finding = new Finding(Limit.OTHER_PROCESSES, "", 1, "evidence", remedies);

        assertThat(finding.remedies()).extracting(Remedy::what).containsExactly("more", "less");
    }

    @Test
    void whatTheHostOfAVirtualMachineTakesCountsAsOthersUse() {
        // The scheduler sees nothing of it: no thread waits, but calls take twice their processor time.
        Finding first = diagnose(2, new VirtualProcess(1, 1, 1, 0, 0), 0.5);

        assertThat(first.limit()).isEqualTo(Limit.OTHER_PROCESSES);
        assertThat(first.evidence())
                .startsWith(
                        "they used 1.0 of 2 processors (1.0 of them taken by the host of this virtual machine), and")
                .contains("50 %");
        assertThat(gain(first, Remedy.Kind.NO_OTHER_PROCESSES)).isCloseTo(2, Percentage.withPercentage(5));
    }

    @Test
    void aHostThatTakesFromOthersIsNotTheLimit() {
        // Half a processor is stolen, but this process has hardly any part in what runs.
        PipelineStats stats = Tandem.from(0).io("a", 1, 5).consume(500, 0.1);
        Evidence evidence =
                new VirtualProcess(0.02, 1.98, 0.5, 0, 0).around(stats, Map.of("a", new Evidence.Work(0.01, 0, 0, "")));

        assertThat(evidence.usage().delayedShare()).isLessThan(0.4);
        assertThat(Diagnosis.of(evidence).first().limit()).isEqualTo(Limit.STAGE);
    }

    private static Finding diagnose(double millis, VirtualProcess process, double onProcessor) {
        PipelineStats stats = Tandem.from(0).cpu("work", 2, millis).consume(2_000, 0);
        return Diagnosis.of(process.around(stats, Map.of("work", new Evidence.Work(onProcessor, 0, 0, ""))))
                .first();
    }

    private static double gain(Finding finding, Remedy.Kind kind) {
        return finding.remedies().stream()
                .filter(remedy -> remedy.kind() == kind)
                .findFirst()
                .orElseThrow()
                .gain();
    }
}
