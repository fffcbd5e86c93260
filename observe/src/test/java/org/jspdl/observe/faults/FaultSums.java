package org.jspdl.observe.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Adds up the lines of [FaultScore] by fault, as a table for `docs/campaigns.md`.
final class FaultSums {
    private final Map<Fault, int[]> sums = new EnumMap<>(Fault.class);
    private final int[] all = new int[3];

    private FaultSums() {}

    static FaultSums of(Path file) throws IOException {
        FaultSums sums = new FaultSums();
        for (String line : Files.readAllLines(file)) {
            List<String> fields = List.of(line.split("\t", -1));
            sums.add(
                    Fault.valueOf(fields.get(1)),
                    fields.get(2).equals("found"),
                    fields.get(3).equals("well"));
        }
        return sums;
    }

    private void add(Fault fault, boolean found, boolean well) {
        for (int[] sum : List.of(sums.computeIfAbsent(fault, none -> new int[3]), all)) {
            sum[0]++;
            sum[1] += found ? 1 : 0;
            sum[2] += well ? 1 : 0;
        }
    }

    @Override
    public String toString() {
        StringBuilder table = new StringBuilder(
                "| fault | cases | first answer right | prediction within 15 % |\n| --- | ---: | ---: | ---: |\n");
        sums.forEach((fault, sum) ->
                table.append(row(fault.name().toLowerCase(Locale.ROOT).replace('_', ' '), sum)));
        return table + row("all", all);
    }

    private static String row(String name, int[] sum) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d (%.0f %%) | %d (%.0f %%) |%n",
                name,
                sum[0],
                sum[1],
                100.0 * sum[1] / Math.max(1, sum[0]),
                sum[2],
                100.0 * sum[2] / Math.max(1, sum[0]));
    }
}
