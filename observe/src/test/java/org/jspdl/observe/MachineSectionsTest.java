package org.jspdl.observe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspdl.observe.machine.Energy;
import org.jspdl.observe.machine.MachineUsage;
import org.jspdl.observe.machine.ProcessGroup;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.observe.virtual.VirtualProcess;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

class MachineSectionsTest {
    /// A run of 500 batches, of eight images each, that took this energy.
    private static Report report(Energy before, Energy after) {
        PipelineStats stats = Tandem.from(0).io("read", 2, 1).consume(500, 0.1);
        ProcessUsage usage = VirtualProcess.idle().around(stats, Map.of()).usage();
        ProcessGroup group = new ProcessGroup(3, 5_000_000, 9_000_000, 10, 20, 30_000, 40_000);
        return Report.of(
                        Instant.EPOCH,
                        List.of(
                                new Snapshot(
                                        stats.since(stats),
                                        usage.since(usage),
                                        new MachineUsage(before, new ProcessGroup(1, 1, 1, 4, 5, 6, 7))),
                                new Snapshot(stats, usage, new MachineUsage(after, group))),
                        Map.of())
                .counting("images", 8);
    }

    private static Map<?, ?> object(Report report, String key) {
        Map<?, ?> all = (Map<?, ?>) requireNonNull(Json.parse(report.json()));
        return (Map<?, ?>) requireNonNull(all.get(key));
    }

    @Test
    void energyIsToldForEachThousandSamplesAndByDomain() {
        Report report = report(
                new Energy(Map.of("package-0", 1_000_000L, "package-0 dram", 0L), ""),
                new Energy(Map.of("package-0", 9_000_000L, "package-0 dram", 2_000_000L), ""));

        assertThat(object(report, "energy").toString())
                .isEqualTo("{joules=10.0, joules_per_1000_items=2.5, package_0_joules=8.0, package_0_dram_joules=2.0}");
        assertThat(report.text())
                .containsPattern(
                        "energy per 1,000 images +2.5 J +\\(all processes of the machine: package-0, package-0 dram\\)");
        assertThat(object(report, "series").containsKey("watts")).isTrue();
    }

    @Test
    void energyThatIsNotKnownIsNullWithTheReason() {
        Report report =
                report(Energy.unknown("permission denied: energy_uj"), Energy.unknown("permission denied: energy_uj"));

        assertThat(object(report, "energy").toString())
                .isEqualTo("{joules=null, unknown=permission denied: energy_uj}");
        assertThat(report.text()).doesNotContain("energy");
        assertThat(report.html()).contains("permission denied: energy_uj");
        assertThat(object(report, "series").containsKey("watts")).isFalse();
    }

    @Test
    void theProcessesOfTheRunAreAddedUp() {
        Report report = report(Energy.unknown("-"), Energy.unknown("-"));

        assertThat(object(report, "process_group").toString())
                .isEqualTo("{processes=3, pss_bytes=5000000, peak_pss_bytes=9000000, disk_read_bytes=6,"
                        + " disk_written_bytes=15, received_bytes=29994, sent_bytes=39993}");
        assertThat(report.text()).contains("memory of 3 processes").contains("network");
    }
}
