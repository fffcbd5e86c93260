package org.jspdl.observe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.testing.Requires;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Does the diagnosis find what is wrong with real runs, and do its predictions hold? That is judged by the clock, over
/// 300 cases with `-Pcampaign` (`docs/campaigns.md` records the score); in every build the cases only have to run, and
/// [VirtualDiagnosisTest] judges them in virtual time.
class DiagnosisTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"BUSY_MACHINE", "GARBAGE"}) // take the processors or the memory from other tests
    void everyFaultCanBeRunWithItsRemedyAndWithout(Fault fault) throws Exception {
        Requires.program("mkfifo"); // makes the slow disk
        FaultCase first = FaultCase.of(fault.ordinal());

        for (boolean remedied : List.of(false, true)) {
            Verdict said = Verdict.of(first, remedied, Duration.ofMillis(150), folder);
            assertThat(said.words()).startsWith("Bottleneck: ");
            assertThat(said.rate()).isGreaterThanOrEqualTo(0);
        }
    }

    @Test
    @Tag("campaign")
    @Timeout(3_600)
    void nineOfTenFaultsAreFoundAndEightOfTenPredictionsHold() throws Exception {
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
