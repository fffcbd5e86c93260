package org.jspdl.observe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Energy of a machine whose counters are files of the test.
class StageEnergyTest {
    private static final String OPTION = "jspdl.powercap";

    @TempDir
    Path powercap;

    private void taken(long microjoules) throws Exception {
        Path zone = Files.createDirectories(powercap.resolve("intel-rapl:0"));
        Files.writeString(zone.resolve("name"), "package-0\n");
        Files.writeString(zone.resolve("max_energy_range_uj"), "1000000000000\n");
        Path next = Files.writeString(powercap.resolve("next"), microjoules + "\n");
        Files.move(
                next, zone.resolve("energy_uj"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void stagesShareTheEnergyOfARunByTheirProcessorTime() throws Exception {
        taken(1_000_000);
        System.setProperty(OPTION, powercap.toString());
        try {
            CountDownLatch begun = new CountDownLatch(1);
            Watch watch = Watch.every(Duration.ofMillis(1)).onInterval(interval -> begun.countDown());
            try (Run<List<Long>> run = WatchedPipeline.of(Long.MAX_VALUE).start(watch.on(RunOptions.defaults()))) {
                var batches = run.iterator();
                while (begun.getCount() > 0) {
                    batches.next();
                }
                batches.next();
                taken(9_000_000);
            }

            Report report = watch.report();
            Map<?, ?> json = (Map<?, ?>) requireNonNull(Json.parse(report.json()));
            assertThat(String.valueOf(json.get("energy"))).startsWith("{joules=8.0, ");
            double stages = 0;
            int known = 0;
            for (Object each : (List<?>) requireNonNull(json.get("stages"))) {
                if (((Map<?, ?>) each).get("joules") instanceof Number joules) {
                    stages += joules.doubleValue();
                    known++;
                    assertThat(((Map<?, ?>) each).get("joules_per_1000_items")).isInstanceOf(Number.class);
                }
            }
            assertThat(known).isPositive();
            assertThat(stages).isPositive();
            assertThat(report.text())
                    .contains("Cost of 1,000 items", "energy", "shared out by CPU time")
                    .contains(" J");
        } finally {
            System.clearProperty(OPTION);
        }
    }
}
