package org.jspdl.observe.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A report as a page: values for the template `report.html`.
final class HtmlRendering {
    private static final double PIXELS_PER_GAIN = 60;

    private HtmlRendering() {}

    static String of(ReportDocument report) {
        List<Map<String, ?>> sections = new ArrayList<>();
        for (Section section : report.sections()) {
            switch (section) {
                case Section.Line(String text) -> sections.add(section("", "line", List.of(Map.of("text", text))));
                case Section.Figures figures -> figures(figures, sections);
                case Section.Table table -> table(table, sections);
                case Section.Bottlenecks(var _, var all) -> bottlenecks(all, sections);
                case Section.Diagram diagram ->
                    sections.add(section(diagram.title(), "diagram", List.of(new DiagramLayout(diagram).values())));
                case Section.Plots plots -> {
                    if (plots.seconds().length > 0) {
                        List<Map<String, ?>> all = plots.plots().stream()
                                .<Map<String, ?>>map(plot -> new PlotLayout(plots.seconds(), plot).values())
                                .toList();
                        sections.add(section(plots.title(), "plots", List.of(Map.of("all", all))));
                    }
                }
            }
        }
        return Template.resource("report.html")
                .render(Map.of(
                        "title",
                        report.title(),
                        "subtitle",
                        report.subtitle(),
                        "style",
                        Template.text("style.css"),
                        "sections",
                        sections,
                        "footer",
                        report.footer()));
    }

    /// A section of one kind; the template asks for all.
    private static Map<String, Object> section(String heading, String kind, List<Map<String, ?>> values) {
        Map<String, Object> section = new LinkedHashMap<>();
        section.put("heading", !heading.isEmpty());
        section.put("heading-text", heading);
        for (String each : List.of("line", "figures", "bottleneck", "table", "diagram", "plots")) {
            section.put(each, each.equals(kind) ? values : List.of());
        }
        return section;
    }

    private static void figures(Section.Figures figures, List<Map<String, ?>> sections) {
        List<Map<String, ?>> values = new ArrayList<>();
        for (Section.Figure figure : figures.figures()) {
            if (TextRendering.isShown(figure)) {
                String label = figure.note().isEmpty() ? figure.label() : figure.label() + " (" + figure.note() + ")";
                values.add(Map.of("value", figure.value().text(), "label", label));
            }
        }
        if (!values.isEmpty()) {
            sections.add(section(figures.title(), "figures", List.of(Map.of("values", values))));
        }
    }

    private static void table(Section.Table table, List<Map<String, ?>> sections) {
        if (!table.rows().isEmpty()
                && table.columns().stream().anyMatch(column -> !column.label().isEmpty())) {
            sections.add(section(table.title(), "table", List.of(table(table, "card scroll"))));
        }
    }

    private static Map<String, Object> table(Section.Table table, String style) {
        List<Map<String, ?>> heads = new ArrayList<>();
        for (Section.Column column : table.columns()) {
            if (!column.label().isEmpty()) {
                heads.add(Map.of("label", column.label(), "words", column.words()));
            }
        }
        List<Map<String, ?>> rows = new ArrayList<>();
        for (List<Value> row : table.rows()) {
            List<Map<String, ?>> cells = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                Section.Column column = table.columns().get(i);
                if (!column.label().isEmpty()) {
                    cells.add(cell(column, row.get(i)));
                }
            }
            rows.add(Map.of("cells", cells));
        }
        return Map.of(
                "class",
                style,
                "heads",
                heads,
                "rows",
                rows,
                "note",
                !table.note().isEmpty(),
                "note-text",
                table.note());
    }

    private static Map<String, ?> cell(Section.Column column, Value value) {
        List<Map<String, ?>> bar = value instanceof Value.Shown(Value.Decimal(double gain, String _), String _)
                ? List.of(Map.of(
                        "width",
                        String.format(Locale.ROOT, "%.0f", Math.clamp(PIXELS_PER_GAIN * (gain - 1), 0.0, 240.0))))
                : List.of();
        return Map.of("text", value.text(), "words", column.words(), "bar", bar);
    }

    private static void bottlenecks(List<Section.Bottleneck> all, List<Map<String, ?>> sections) {
        boolean first = true;
        for (Section.Bottleneck each : all) {
            if (each.shown()) {
                Map<String, Object> section = section(
                        "",
                        "bottleneck",
                        List.of(Map.of(
                                "headline",
                                (first ? "Bottleneck: " : "Next: ") + each.headline(),
                                "evidence",
                                sentence(each.evidence()))));
                if (!each.remedies().rows().isEmpty()) {
                    section.put("table", List.of(table(each.remedies(), "scroll")));
                }
                sections.add(section);
            }
            first = false;
        }
    }

    private static String sentence(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
    }
}
