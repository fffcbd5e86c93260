package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Does the diagnosis find what is wrong, and do its predictions hold? In every build one case of each fault that needs
/// no quiet machine, found or not; with `-Pcampaign` 300 cases, whose score `docs/campaigns.md` records.
class DiagnosisTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final Set<Fault> WITHOUT_QUIET = Set.of(
            Fault.SLOW_STAGE,
            Fault.FEW_SLOTS,
            Fault.SLOW_SOURCE,
            Fault.THROTTLED_DISK,
            Fault.SLOW_CONSUMER,
            Fault.LIMITED_STORE,
            Fault.LITTLE_MEMORY);

    @TempDir
    Path folder;

    @Test
    void faultsThatNeedNoQuietMachineAreFound() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "mkfifo makes the slow disk");
        List<String> missed = new ArrayList<>();
        int cases = 0;
        for (long seed = 5_000; seed < 5_000 + Fault.values().length; seed++) {
            FaultCase fault = FaultCase.of(seed);
            if (WITHOUT_QUIET.contains(fault.fault())) {
                cases++;
                Verdict said = Verdict.of(fault, false, Duration.ofMillis(700), folder);
                if (said.limit() != fault.fault().limit()) {
                    missed.add(fault + " was called " + said.words());
                }
            }
        }

        assertThat(cases).isEqualTo(WITHOUT_QUIET.size());
        // One may be missed on a machine that does much else meanwhile.
        assertThat(missed).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    @Timeout(3_600)
    void nineOfTenFaultsAreFoundAndEightOfTenPredictionsHold() throws Exception {
        assumeTrue(CAMPAIGN, "the whole campaign runs with -Pcampaign");
        int found = 0;
        int well = 0;
        List<String> lines = new ArrayList<>();
        for (long seed = 1; seed <= 300; seed++) {
            FaultScore score = FaultScore.of(FaultCase.of(seed), Duration.ofMillis(1_200), folder);
            found += score.found() ? 1 : 0;
            well += score.predictedWell() ? 1 : 0;
            lines.add(score.toString());
        }

        assertThat(found).as(String.join("\n", lines)).isGreaterThanOrEqualTo(270);
        assertThat(well).as(String.join("\n", lines)).isGreaterThanOrEqualTo(240);
    }
}
