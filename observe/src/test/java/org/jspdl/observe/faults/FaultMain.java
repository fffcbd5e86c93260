package org.jspdl.observe.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Scores cases from the command line, in slices if need be: cases that are in the file already are left out, and no
/// new one is begun when the seconds are over.
///
/// `FaultMain --from SEED --count N [--file FILE] [--seconds S] [--millis M]` runs cases, each for M milliseconds as it
/// is and as long with its remedy, and appends a line for each to FILE; `FaultMain --sum FILE` adds up what is there.
/// `FaultMain --others SEED --count N` judges faults of other kinds in virtual time ([OtherCase]). A seed may be the
/// hash of a commit, of which the first 16 digits count.
public final class FaultMain {
    private FaultMain() {}

    /// Runs, or adds up.
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        if (options.containsKey("--others")) {
            System.out.print(OtherFaults.of(seed(options.get("--others")), Integer.parseInt(options.get("--count"))));
        } else if (options.containsKey("--sum")) {
            System.out.print(FaultSums.of(Path.of(options.get("--sum"))));
        } else {
            run(
                    Long.parseLong(options.get("--from")),
                    Integer.parseInt(options.get("--count")),
                    Path.of(options.getOrDefault("--file", "/dev/null")),
                    Duration.ofSeconds(Long.parseLong(options.getOrDefault("--seconds", "86400"))),
                    Duration.ofMillis(Long.parseLong(options.getOrDefault("--millis", "1200"))));
        }
    }

    private static long seed(String text) {
        return text.length() < 16 ? Long.parseLong(text) : Long.parseUnsignedLong(text.substring(0, 16), 16);
    }

    private static void run(long first, int count, Path file, Duration most, Duration time) throws Exception {
        Set<Long> known = new HashSet<>();
        if (Files.isRegularFile(file)) {
            Files.readAllLines(file).forEach(line -> known.add(Long.parseLong(line.substring(0, line.indexOf('\t')))));
        }
        long end = System.nanoTime() + most.toNanos();
        Path folder = Files.createTempDirectory("faults");
        long seed = first;
        for (; seed < first + count && System.nanoTime() < end; seed++) {
            if (!known.contains(seed)) {
                FaultScore score = FaultScore.of(FaultCase.of(seed), time, folder);
                append(file, score.line());
                System.out.println(score);
            }
        }
        Files.delete(folder);
        System.out.println(seed < first + count ? "to be gone on with from " + seed : "done");
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
