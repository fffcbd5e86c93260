package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Adds up what [MachineTuning] has written.
final class MachineTuningSums {
    private static final double NEAR = 0.15;
    private static final int SETTLED = 2;
    private static final int OF_SEARCH = 3;
    private static final int OF_START = 4;
    private static final int PREDICTIONS = 6;

    private MachineTuningSums() {}

    static void print(List<String> lines) {
        System.out.print(text(lines));
    }

    /// A line for the scenarios, one for those beside a trainer, and one for the predictions.
    static String text(List<String> lines) {
        List<Double> shares = new ArrayList<>();
        List<Double> settled = new ArrayList<>();
        List<Double> trained = new ArrayList<>();
        List<Double> begun = new ArrayList<>();
        int near = 0;
        int all = 0;
        int nearScenarios = 0;
        int scenarios = 0;
        for (String line : lines) {
            String[] fields = line.split("\t", -1);
            settled.add(Double.valueOf(fields[SETTLED]));
            (fields[0].startsWith("trained") ? trained : shares).add(Double.valueOf(fields[OF_SEARCH]));
            if (!fields[OF_START].isEmpty()) {
                begun.add(Double.valueOf(fields[OF_START]));
            }
            int before = all - near;
            for (String pair : fields[PREDICTIONS].isEmpty() ? new String[0] : fields[PREDICTIONS].split(" ", -1)) {
                double[] values = Arrays.stream(pair.split("/", 2))
                        .mapToDouble(Double::parseDouble)
                        .toArray();
                all++;
                near += Math.abs(values[0] / values[1] - 1) <= NEAR ? 1 : 0;
            }
            scenarios++;
            nearScenarios += all - near == before ? 1 : 0;
        }
        String text = "";
        if (!shares.isEmpty()) {
            text += line("%d scenarios: %s of the search's winner", shares.size(), spread(shares));
        }
        if (!trained.isEmpty()) {
            text += line(
                    "%d beside a trainer: steps as part of the best fixed setting's %s, of the start's %s",
                    trained.size(), spread(inverted(trained)), spread(inverted(begun)));
        }
        return text
                + line(
                        "settled after %s s; %d of %d predictions within 15 %%, all of them in %d of %d scenarios",
                        spread(settled), near, all, nearScenarios, scenarios);
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values) + "\n";
    }

    private static List<Double> inverted(List<Double> rates) {
        return rates.stream().map(each -> 1 / each).toList();
    }

    private static String spread(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(each -> each).sorted().toArray();
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return String.format(Locale.ROOT, "%.3f (%.3f to %.3f)", median, sorted[0], sorted[sorted.length - 1]);
    }
}
