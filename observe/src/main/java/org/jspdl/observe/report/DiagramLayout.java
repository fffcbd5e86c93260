package org.jspdl.observe.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Where the boxes and arrows of a diagram lie: columns from left to right, a box behind the last of those that lead to
/// it.
final class DiagramLayout {
    private static final int BOX_WIDTH = 164;
    private static final int BOX_HEIGHT = 104;
    private static final int GAP_X = 78;
    private static final int GAP_Y = 30;
    private static final int MARGIN = 6;
    private static final int INNER = 12;
    private static final int QUEUE_WIDTH = 26;
    private static final int LONGEST_NAME = 19;

    private final Section.Diagram diagram;
    private final Map<String, Corner> corners = new HashMap<>();
    private int columns;
    private int rows = 1;

    private record Corner(int x, int y) {}

    DiagramLayout(Section.Diagram diagram) {
        this.diagram = diagram;
        Map<String, Integer> columnOf = new HashMap<>();
        Map<Integer, Integer> used = new HashMap<>();
        for (Section.Box box : diagram.boxes()) {
            int column = diagram.arrows().stream()
                    .filter(arrow -> arrow.to().equals(box.name()))
                    .mapToInt(arrow -> columnOf.getOrDefault(arrow.from(), -1) + 1)
                    .max()
                    .orElse(0);
            columnOf.put(box.name(), column);
            int row = used.merge(column, 1, Integer::sum) - 1;
            corners.put(
                    box.name(), new Corner(MARGIN + column * (BOX_WIDTH + GAP_X), MARGIN + row * (BOX_HEIGHT + GAP_Y)));
            columns = Math.max(columns, column);
            rows = Math.max(rows, row + 1);
        }
    }

    Map<String, ?> values() {
        int width = 2 * MARGIN + BOX_WIDTH + (BOX_WIDTH + GAP_X) * columns;
        Map<String, Object> values = new HashMap<>();
        values.put("width", width);
        values.put("height", 2 * MARGIN + rows * (BOX_HEIGHT + GAP_Y) - GAP_Y);
        values.put("min-width", Math.min(width, 900));
        values.put("max-width", (int) (width * 1.15));
        values.put("queue-width", QUEUE_WIDTH);
        values.put("box-width", BOX_WIDTH);
        values.put("box-height", BOX_HEIGHT);
        values.put("arrows", arrows());
        values.put("boxes", diagram.boxes().stream().map(this::box).toList());
        values.put(
                "legend",
                diagram.legend().stream()
                        .map(key -> Map.of("color", key.color(), "label", key.label()))
                        .toList());
        return values;
    }

    private Map<String, ?> box(Section.Box box) {
        Corner at = corners.getOrDefault(box.name(), new Corner(MARGIN, MARGIN));
        List<Map<String, ?>> lines = new ArrayList<>();
        for (String line : box.lines()) {
            lines.add(Map.of("text", line, "line-y", at.y + 39 + 16 * lines.size()));
        }
        List<Map<String, ?>> bars = new ArrayList<>();
        double x = at.x + INNER;
        for (Section.Bar bar : box.bars()) {
            double wide = (BOX_WIDTH - 2 * INNER) * Math.clamp(bar.part(), 0.0, 1.0);
            bars.add(Map.of(
                    "bar-x",
                    decimal(x),
                    "bar-y",
                    at.y + BOX_HEIGHT - 20,
                    "bar-width",
                    decimal(wide),
                    "color",
                    bar.color(),
                    "label",
                    bar.label(),
                    "part",
                    new Value.Share(bar.part()).text()));
            x += wide;
        }
        String name =
                box.name().length() <= LONGEST_NAME ? box.name() : box.name().substring(0, LONGEST_NAME - 1) + "…";
        Map<String, Object> values = new HashMap<>();
        values.put("x", at.x);
        values.put("y", at.y);
        values.put("stroke", box.marked() ? "accent" : "line");
        values.put("stroke-width", box.marked() ? "2.5" : "1.2");
        values.put("text-x", at.x + INNER);
        values.put("name-y", at.y + 21);
        values.put("name", name);
        values.put("lines", lines);
        values.put("bars", bars);
        return values;
    }

    private List<Map<String, ?>> arrows() {
        List<Map<String, ?>> arrows = new ArrayList<>();
        for (Section.Arrow arrow : diagram.arrows()) {
            Corner from = corners.get(arrow.from());
            Corner to = corners.get(arrow.to());
            if (from != null && to != null) {
                arrows.add(arrow(arrow, from, to));
            }
        }
        return arrows;
    }

    private static Map<String, ?> arrow(Section.Arrow arrow, Corner from, Corner to) {
        int end = to.x - 3;
        int y = to.y + BOX_HEIGHT / 2;
        int middle = end - GAP_X / 2;
        return Map.of(
                "path",
                String.format(
                        Locale.ROOT,
                        "M%d %dH%dV%dH%d",
                        from.x + BOX_WIDTH,
                        from.y + BOX_HEIGHT / 2,
                        middle - 14,
                        y,
                        end),
                "hint",
                arrow.hint(),
                "x",
                middle - QUEUE_WIDTH / 2,
                "y",
                y - 8,
                "fill-x",
                middle - QUEUE_WIDTH / 2 + 1,
                "fill-y",
                y - 7,
                "fill-width",
                decimal((QUEUE_WIDTH - 2) * Math.clamp(arrow.filled(), 0.0, 1.0)),
                "middle",
                middle,
                "label-y",
                y + 23,
                "label",
                arrow.label());
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
