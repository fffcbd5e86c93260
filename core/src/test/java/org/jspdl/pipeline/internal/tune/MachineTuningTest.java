package org.jspdl.pipeline.internal.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program that measures on the machine works; what it measures in no time says nothing.
class MachineTuningTest {
    @Test
    void eachScenarioIsALineAndOnesThatAreThereAreNotMeasuredAgain(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("tuning.tsv"));
        long seed = Runtime.getRuntime().availableProcessors() == 1 ? 8 : 4;
        String[] scenario = {
            "--file", file.toString(), "--from", Long.toString(seed), "--scale", "0.01", "--part", "0/20"
        };

        MachineTuning.main(scenario);
        List<String> lines = Files.readAllLines(file);
        MachineTuning.main(scenario);

        assertThat(Files.readAllLines(file)).isEqualTo(lines);
        assertThat(lines)
                .hasSizeLessThanOrEqualTo(1)
                .allSatisfy(line -> assertThat(line.split("\t", -1)).hasSize(9));
    }

    @Test
    void linesAddUpToMediansAndPredictions() {
        String text = MachineTuningSums.text(List.of(
                "4\t2\t12.0\t1.0100\t\t[1, 2]\t1.490/1.490 1.000/1.300\tsettled\timages",
                "5\t2\t14.0\t0.9500\t\t[1, 2]\t\tsettled\tvideo",
                "trained 4\t2\t16.0\t1.0000\t1.2500\t[1, 1]\t1.100/1.000\tsettled\timages"));

        assertThat(text).isEqualTo("""
                2 scenarios: 0.980 (0.950 to 1.010) of the search's winner
                1 beside a trainer: steps as part of the best fixed setting's 1.000 (1.000 to 1.000), of the start's 0.800 (0.800 to 0.800)
                settled after 14.000 (12.000 to 16.000) s; 2 of 3 predictions within 15 %, all of them in 2 of 3 scenarios
                """);
    }
}
