package org.jspdl.observe.page;

import static org.jspdl.observe.page.Plot.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Boxes from left to right with arrows between them. A box stands one column behind the last of those that lead to it.
///
/// @param boxes  what is drawn, in an order in which arrows lead forwards
/// @param arrows how they are connected
public record Flowchart(List<Box> boxes, List<Arrow> arrows) {
    private static final int BOX_WIDTH = 164;
    private static final int BOX_HEIGHT = 104;
    private static final int GAP_X = 78;
    private static final int GAP_Y = 30;
    private static final int MARGIN = 6;
    private static final int INNER = 12;

    /// A box with a bar of shares in it.
    ///
    /// @param marked whether it stands out
    public record Box(String name, List<String> lines, List<Share> shares, boolean marked) {}

    /// A part of a bar.
    ///
    /// @param colour the name of a colour of the style
    /// @param part   between 0 and 1
    public record Share(String colour, String label, double part) {}

    /// An arrow with a small tank on it.
    ///
    /// @param filled how full the tank is, between 0 and 1
    /// @param label  what stands below it
    /// @param hint   what is shown when one points at it
    public record Arrow(String from, String to, double filled, String label, String hint) {}

    private record Spot(int x, int y) {}

    /// The chart as HTML.
    public String html() {
        Map<String, Integer> columns = columns();
        Map<Integer, Integer> used = new HashMap<>();
        Map<String, Spot> spots = new HashMap<>();
        for (Box box : boxes) {
            int column = columns.getOrDefault(box.name(), 0);
            int row = used.merge(column, 1, Integer::sum) - 1;
            spots.put(box.name(), new Spot(MARGIN + column * (BOX_WIDTH + GAP_X), MARGIN + row * (BOX_HEIGHT + GAP_Y)));
        }
        int width = 2 * MARGIN
                + BOX_WIDTH
                + (BOX_WIDTH + GAP_X)
                        * columns.values().stream().mapToInt(i -> i).max().orElse(0);
        int rows = used.values().stream().mapToInt(i -> i).max().orElse(1);
        int height = 2 * MARGIN + rows * (BOX_HEIGHT + GAP_Y) - GAP_Y;
        StringBuilder svg = new StringBuilder(8192);
        svg.append(format(
                "<div class=\"card scroll\"><svg viewBox=\"0 0 %d %d\" style=\"min-width:%dpx;max-width:%dpx\" role=\"img\" aria-label=\"the pipeline\">",
                width, height, Math.min(width, 900), (int) (width * 1.15)));
        svg.append(
                        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">")
                .append("<path d=\"M0 0L8 4L0 8z\" fill=\"var(--soft)\"/></marker></defs>");
        arrows.forEach(arrow -> draw(svg, arrow, spots));
        boxes.forEach(box -> draw(svg, box, spots.getOrDefault(box.name(), new Spot(MARGIN, MARGIN))));
        return svg.append("</svg></div>").toString();
    }

    private Map<String, Integer> columns() {
        Map<String, Integer> columns = new HashMap<>();
        for (Box box : boxes) {
            int column = arrows.stream()
                    .filter(arrow -> arrow.to().equals(box.name()))
                    .mapToInt(arrow -> columns.getOrDefault(arrow.from(), -1) + 1)
                    .max()
                    .orElse(0);
            columns.put(box.name(), column);
        }
        return columns;
    }

    private static void draw(StringBuilder svg, Box box, Spot at) {
        svg.append(format(
                "<g><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"var(--card)\" stroke=\"var(--%s)\" stroke-width=\"%s\"/>",
                at.x, at.y, BOX_WIDTH, BOX_HEIGHT, box.marked() ? "accent" : "line", box.marked() ? "2.5" : "1.2"));
        svg.append(format(
                "<text x=\"%d\" y=\"%d\" font-weight=\"650\" font-size=\"14\">%s</text>",
                at.x + INNER, at.y + 21, Page.escape(shortened(box.name()))));
        for (int i = 0; i < box.lines().size(); i++) {
            svg.append(format(
                    "<text class=\"soft\" x=\"%d\" y=\"%d\">%s</text>",
                    at.x + INNER, at.y + 39 + 16 * i, Page.escape(box.lines().get(i))));
        }
        double x = at.x + INNER;
        for (Share share : box.shares()) {
            double wide = (BOX_WIDTH - 2 * INNER) * Math.clamp(share.part(), 0.0, 1.0);
            svg.append(format(
                    "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"10\" fill=\"var(--%s)\"><title>%s: %.0f %%</title></rect>",
                    x, at.y + BOX_HEIGHT - 20, wide, share.colour(), Page.escape(share.label()), 100 * share.part()));
            x += wide;
        }
        svg.append("</g>");
    }

    private static String shortened(String name) {
        return name.length() <= 19 ? name : name.substring(0, 18) + "…";
    }

    private static void draw(StringBuilder svg, Arrow arrow, Map<String, Spot> spots) {
        Spot from = spots.get(arrow.from());
        Spot to = spots.get(arrow.to());
        if (from == null || to == null) {
            return;
        }
        int x1 = from.x + BOX_WIDTH;
        int y1 = from.y + BOX_HEIGHT / 2;
        int x2 = to.x - 3;
        int y2 = to.y + BOX_HEIGHT / 2;
        int middle = x2 - GAP_X / 2;
        svg.append(format(
                "<path d=\"M%d %dH%dV%dH%d\" fill=\"none\" stroke=\"var(--soft)\" stroke-width=\"1.4\" marker-end=\"url(#tip)\"/>",
                x1, y1, middle - 14, y2, x2));
        int tank = 26;
        svg.append(format(
                "<g><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"16\" rx=\"3\" fill=\"var(--card)\" stroke=\"var(--soft)\"/>",
                Page.escape(arrow.hint()), middle - tank / 2, y2 - 8, tank));
        svg.append(format(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"14\" rx=\"2\" fill=\"var(--c2)\"/></g>",
                middle - tank / 2 + 1, y2 - 7, (tank - 2) * Math.clamp(arrow.filled(), 0.0, 1.0)));
        List<String> label = new ArrayList<>(List.of(arrow.label().split("\n", -1)));
        for (int i = 0; i < label.size(); i++) {
            svg.append(format(
                    "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-size=\"11\">%s</text>",
                    middle, y2 + 23 + 13 * i, Page.escape(label.get(i))));
        }
    }
}
