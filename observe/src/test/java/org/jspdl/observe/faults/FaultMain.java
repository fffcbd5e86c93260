package org.jspdl.observe.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Scores cases from the command line: first seed, number of cases, milliseconds for each run.
public final class FaultMain {
    private FaultMain() {}

    /// Prints a line for each case and the sums.
    public static void main(String[] arguments) throws Exception {
        long first = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        Duration time = Duration.ofMillis(Long.parseLong(arguments[2]));
        Path folder = Files.createTempDirectory("faults");
        int found = 0;
        int well = 0;
        for (long seed = first; seed < first + count; seed++) {
            FaultScore score = FaultScore.of(FaultCase.of(seed), time, folder);
            found += score.found() ? 1 : 0;
            well += score.predictedWell() ? 1 : 0;
            System.out.println(score);
        }
        System.out.printf("%d of %d found, %d predicted within 15 %%%n", found, count, well);
        Files.delete(folder);
    }
}
