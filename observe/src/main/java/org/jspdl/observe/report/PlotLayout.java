package org.jspdl.observe.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Where the lines of a plot lie.
final class PlotLayout {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 190;
    private static final int LEFT = 74;
    private static final int RIGHT = 12;
    private static final int TOP = 10;
    private static final int BOTTOM = 26;
    private static final int COLORS = 8;
    private static final double[] STEPS = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};

    private final double[] seconds;
    private final Section.Plot plot;
    private final double top;

    PlotLayout(double[] seconds, Section.Plot plot) {
        this.seconds = seconds;
        this.plot = plot;
        double highest = 0;
        for (Section.Series series : plot.series()) {
            for (double value : series.values()) {
                highest = Math.max(highest, value);
            }
        }
        this.top = roundAbove(highest);
    }

    private static double roundAbove(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : STEPS) {
            if (value <= step * power * 1.0001) {
                return step * power;
            }
        }
        return 10 * power;
    }

    Map<String, ?> values() {
        List<Map<String, ?>> lines = new ArrayList<>();
        for (Section.Series series : plot.series()) {
            lines.add(line(series, "c" + lines.size() % COLORS));
        }
        return Map.of(
                "plot-title", plot.title(), "horizontals", horizontals(), "verticals", verticals(), "lines", lines);
    }

    private List<Map<String, ?>> horizontals() {
        List<Map<String, ?>> horizontals = new ArrayList<>();
        for (int i = 0; i <= 4; i++) {
            double value = top * i / 4;
            horizontals.add(Map.of(
                    "kind",
                    i == 0 ? "axis" : "grid",
                    "x1",
                    LEFT,
                    "x2",
                    WIDTH - RIGHT,
                    "y",
                    decimal(y(value)),
                    "labeled",
                    i % 2 == 0,
                    "text-x",
                    LEFT - 6,
                    "text-y",
                    decimal(y(value) + 4),
                    "text",
                    plot.axis().apply(value)));
        }
        return horizontals;
    }

    private List<Map<String, ?>> verticals() {
        List<Map<String, ?>> verticals = new ArrayList<>();
        double end = seconds[seconds.length - 1];
        double sixth = Math.max(1e-9, end / 6);
        double power = Math.pow(10, Math.floor(Math.log10(sixth)));
        double step = sixth <= 2 * power ? 2 * power : sixth <= 5 * power ? 5 * power : 10 * power;
        for (int i = 0; i * step <= end * 1.0001; i++) {
            verticals.add(Map.of(
                    "x",
                    decimal(x(i * step)),
                    "text",
                    String.format(Locale.ROOT, step < 1 ? "%.1f" : "%.0f", i * step)));
        }
        return verticals;
    }

    private Map<String, ?> line(Section.Series series, String color) {
        StringBuilder path = new StringBuilder();
        List<Map<String, ?>> points = new ArrayList<>();
        boolean alone = seconds.length == 1;
        for (int i = 0; i < seconds.length; i++) {
            double value = series.values()[i];
            String x = decimal(x(seconds[i]));
            String y = decimal(y(value));
            path.append(i == 0 ? "M" : "L").append(x).append(' ').append(y);
            points.add(Map.of(
                    "x",
                    x,
                    "y",
                    y,
                    "radius",
                    alone ? "3" : "5",
                    "opacity",
                    alone ? "1" : "0",
                    "hint",
                    String.format(
                            Locale.ROOT,
                            "%s: %s at %.2f s",
                            series.name(),
                            plot.axis().apply(value),
                            seconds[i])));
        }
        return Map.of("name", series.name(), "color", color, "path", path.toString(), "points", points);
    }

    private double x(double at) {
        return LEFT + (WIDTH - LEFT - RIGHT) * at / Math.max(1e-9, seconds[seconds.length - 1]);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * Math.clamp(value / top, 0.0, 1.0);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
