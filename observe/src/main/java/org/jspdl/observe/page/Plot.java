package org.jspdl.observe.page;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/// Lines over time, with a legend.
///
/// @param title  what is shown, with its unit
/// @param times  where the points stand, in seconds
/// @param lines  the lines
/// @param values writes a value of the vertical axis
public record Plot(String title, double[] times, List<Line> lines, DoubleFunction<String> values) {
    private static final int WIDTH = 560;
    private static final int HEIGHT = 190;
    private static final int LEFT = 74;
    private static final int RIGHT = 12;
    private static final int TOP = 10;
    private static final int BOTTOM = 26;
    /// How many colours there are.
    public static final int COLOURS = 8;

    /// One line.
    ///
    /// @param values as many as there are times
    public record Line(String name, double[] values) {}

    /// The plot as HTML.
    public String html() {
        double top = niceAbove(highest());
        StringBuilder svg = new StringBuilder(4096);
        svg.append("<div class=\"card plot\"><h3>").append(Page.escape(title)).append("</h3>");
        svg.append(format(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, Page.escape(title)));
        horizontals(svg, top);
        verticals(svg);
        for (int i = 0; i < lines.size(); i++) {
            line(svg, lines.get(i), i % COLOURS, top);
        }
        svg.append("</svg>");
        legend(svg);
        return svg.append("</div>").toString();
    }

    private double highest() {
        double highest = 0;
        for (Line line : lines) {
            for (double value : line.values()) {
                highest = Math.max(highest, value);
            }
        }
        return highest;
    }

    private static double niceAbove(double value) {
        if (value <= 0) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8, 10}) {
            if (value <= step * power * 1.0001) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static double stepAbove(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1e-9, value))));
        return value <= 2 * power ? 2 * power : value <= 5 * power ? 5 * power : 10 * power;
    }

    private void horizontals(StringBuilder svg, double top) {
        for (int i = 0; i <= 4; i++) {
            double value = top * i / 4;
            double y = y(value, top);
            svg.append(format(
                    "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
                    i == 0 ? "axis" : "grid", LEFT, WIDTH - RIGHT, y, y));
            if (i % 2 == 0) {
                svg.append(format(
                        "<text class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                        LEFT - 6, y + 4, Page.escape(values.apply(value))));
            }
        }
    }

    private void verticals(StringBuilder svg) {
        double end = times.length == 0 ? 1 : times[times.length - 1];
        double step = stepAbove(end / 6);
        for (double at = 0; at <= end * 1.0001; at += step) {
            svg.append(format(
                    "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s s</text>",
                    x(at), HEIGHT - 8, step < 1 ? format("%.1f", at) : format("%.0f", at)));
        }
    }

    private void line(StringBuilder svg, Line line, int colour, double top) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < times.length; i++) {
            path.append(format("%s%.1f %.1f", i == 0 ? "M" : "L", x(times[i]), y(line.values()[i], top)));
        }
        svg.append(format(
                "<path d=\"%s\" fill=\"none\" stroke=\"var(--c%d)\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>",
                path, colour));
        for (int i = 0; i < times.length; i++) {
            svg.append(format(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"var(--c%d)\" fill-opacity=\"%s\"><title>%s: %s at %.2f s</title></circle>",
                    x(times[i]),
                    y(line.values()[i], top),
                    times.length == 1 ? "3" : "5",
                    colour,
                    times.length == 1 ? "1" : "0",
                    Page.escape(line.name()),
                    Page.escape(values.apply(line.values()[i])),
                    times[i]));
        }
    }

    private void legend(StringBuilder svg) {
        svg.append("<div class=\"legend\">");
        for (int i = 0; i < lines.size(); i++) {
            svg.append(format(
                    "<span><i style=\"background:var(--c%d)\"></i>%s</span>",
                    i % COLOURS, Page.escape(lines.get(i).name())));
        }
        svg.append("</div>");
    }

    private double x(double seconds) {
        double end = times.length == 0 ? 1 : Math.max(1e-9, times[times.length - 1]);
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / end;
    }

    private static double y(double value, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * Math.clamp(value / top, 0.0, 1.0);
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
