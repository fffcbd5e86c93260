package org.jspdl.observe.report;

import java.util.List;
import org.jspdl.json.JsonWriter;

/// A report as one JSON object.
final class JsonRendering {
    private final JsonWriter json = JsonWriter.indented().rounded(6).beginObject();

    private JsonRendering() {}

    static String of(ReportDocument report) {
        JsonRendering rendering = new JsonRendering();
        report.sections().forEach(rendering::section);
        return rendering.json.endObject().document();
    }

    private void section(Section section) {
        switch (section) {
            case Section.Figures figures when figures.key().isEmpty() -> figures(figures.figures());
            case Section.Figures figures -> {
                json.beginObject(figures.key());
                figures(figures.figures());
                json.endObject();
            }
            case Section.Table table -> table(table);
            case Section.Bottlenecks bottlenecks -> bottlenecks(bottlenecks);
            case Section.Plots plots -> plots(plots);
            case Section.Diagram _, Section.Line _ -> {}
        }
    }

    private void figures(List<Section.Figure> figures) {
        for (Section.Figure figure : figures) {
            member(figure.key(), figure.value());
        }
    }

    private void member(String key, Value value) {
        if (!key.isEmpty()) {
            json.name(key);
            value.json(json);
        }
    }

    private void table(Section.Table table) {
        if (table.key().isEmpty()) {
            return;
        }
        json.beginArray(table.key());
        for (List<Value> row : table.rows()) {
            json.beginObject();
            for (int i = 0; i < row.size(); i++) {
                member(table.columns().get(i).key(), row.get(i));
            }
            json.endObject();
        }
        json.endArray();
    }

    private void bottlenecks(Section.Bottlenecks bottlenecks) {
        json.beginArray(bottlenecks.key());
        for (Section.Bottleneck each : bottlenecks.all()) {
            json.beginObject();
            figures(each.figures());
            table(each.remedies());
            json.endObject();
        }
        json.endArray();
    }

    private void plots(Section.Plots plots) {
        json.beginObject(plots.key());
        array("end_seconds", plots.seconds());
        for (Section.Plot plot : plots.plots()) {
            for (Section.Series series : plot.series()) {
                if (!series.key().isEmpty()) {
                    array(series.key(), series.values());
                }
            }
        }
        json.endObject();
    }

    private void array(String key, double[] values) {
        json.beginArray(key);
        for (double value : values) {
            json.value(value);
        }
        json.endArray();
    }
}
