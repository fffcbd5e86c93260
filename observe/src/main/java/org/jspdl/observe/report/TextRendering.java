package org.jspdl.observe.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.observe.text.DisplayText;
import org.jspdl.observe.text.Figures;

/// A report in a terminal.
final class TextRendering {
    private static final int WIDTH = 118;
    private static final int LABEL = 24;

    private final StringBuilder text = new StringBuilder(4096);

    private TextRendering() {}

    static String of(ReportDocument report) {
        TextRendering rendering = new TextRendering();
        for (Section section : report.sections()) {
            switch (section) {
                case Section.Figures figures -> rendering.figures(figures);
                case Section.Table table -> rendering.table(table, "  ");
                case Section.Line line -> rendering.paragraph(line.text());
                case Section.Bottlenecks _, Section.Diagram _, Section.Plots _ -> {}
            }
        }
        for (Section section : report.sections()) {
            if (section instanceof Section.Bottlenecks bottlenecks) {
                rendering.bottlenecks(bottlenecks.all());
            }
        }
        return rendering.text.toString();
    }

    private void paragraph(String line) {
        line(line);
        line("");
    }

    private void figures(Section.Figures figures) {
        List<Section.Figure> shown =
                figures.figures().stream().filter(TextRendering::isShown).toList();
        if (shown.isEmpty()) {
            return;
        }
        if (!figures.title().isEmpty()) {
            line(figures.title());
        }
        for (Section.Figure figure : shown) {
            String note = figure.note().isEmpty() ? "" : "   (" + figure.note() + ")";
            line("  " + padded(figure.label(), LABEL) + " " + figure.value().text() + note);
        }
        line("");
    }

    static boolean isShown(Section.Figure figure) {
        return !figure.label().isEmpty() && !figure.value().text().isEmpty();
    }

    private void table(Section.Table table, String indent) {
        if (table.rows().isEmpty()
                || (table.title().isEmpty() && table.columns().stream().noneMatch(Section.Column::inText))) {
            return;
        }
        List<Integer> columns = IntStream.range(0, table.columns().size())
                .filter(i -> table.columns().get(i).inText())
                .boxed()
                .toList();
        if (columns.isEmpty()) {
            return;
        }
        if (!table.title().isEmpty()) {
            line(table.title());
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(i -> table.columns().get(i).label()).toList());
        table.rows().stream()
                .limit(table.rowsInText())
                .forEach(row ->
                        rows.add(columns.stream().map(i -> row.get(i).text()).toList()));
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], DisplayText.width(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < widths.length; i++) {
                boolean words = table.columns().get(columns.get(i)).words();
                line.append(i == 0 ? "" : "  ")
                        .append(
                                words
                                        ? padded(row.get(i), widths[i])
                                        : " ".repeat(widths[i] - DisplayText.width(row.get(i))) + row.get(i));
            }
            line(line.toString().stripTrailing());
        }
        if (table.rows().size() > table.rowsInText()) {
            line(indent + "... and " + Figures.count(table.rows().size() - table.rowsInText()) + " more");
        }
        if (!table.note().isEmpty()) {
            line(indent + table.note());
        }
        line("");
    }

    private static String padded(String words, int width) {
        return words + " ".repeat(Math.max(0, width - DisplayText.width(words)));
    }

    private void bottlenecks(List<Section.Bottleneck> all) {
        boolean first = true;
        for (Section.Bottleneck each : all) {
            if (each.shown()) {
                wrapped((first ? "Bottleneck: " : "Next: ") + each.headline() + ": " + each.evidence() + ".");
                if (first) {
                    table(each.remedies(), "  ");
                }
            }
            first = false;
        }
    }

    private void wrapped(String sentence) {
        StringBuilder row = new StringBuilder();
        for (String word : sentence.split(" ", -1)) {
            if (row.length() + word.length() + 1 > WIDTH) {
                line(row.toString());
                row.setLength(0);
            }
            row.append(row.isEmpty() ? "" : " ").append(word);
        }
        line(row.toString());
    }

    private void line(String words) {
        text.append(words).append(System.lineSeparator());
    }
}
