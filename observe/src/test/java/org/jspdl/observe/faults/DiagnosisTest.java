package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Does the diagnosis find what is wrong with real runs, and do its predictions hold? That is judged by the clock, over
/// 300 cases with `-Pcampaign` (`docs/campaigns.md` records the score); in every build the cases only have to run, and
/// [VirtualDiagnosisTest] judges them in virtual time.
class DiagnosisTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final Set<Fault> NEED_MUCH = Set.of(Fault.BUSY_MACHINE, Fault.GARBAGE);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyFaultCanBeRunWithItsRemedyAndWithout(Fault fault) throws Exception {
        assumeFalse(NEED_MUCH.contains(fault), "takes the processors or the memory from other tests");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "mkfifo makes the slow disk");
        FaultCase first = FaultCase.of(fault.ordinal());

        for (boolean remedied : List.of(false, true)) {
            Verdict said = Verdict.of(first, remedied, Duration.ofMillis(150), folder);
            assertThat(said.words()).startsWith("Limited by ");
            assertThat(said.rate()).isGreaterThanOrEqualTo(0);
        }
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
