package org.jspdl.observe.report;

import java.util.ArrayList;
import java.util.List;

/// A report: its sections, rendered as text for a terminal, JSON for programs and HTML for a browser. Immutable.
///
/// @param title    the heading
/// @param subtitle a line below it
/// @param footer   a line at the end of the page
public record ReportDocument(String title, String subtitle, List<Section> sections, String footer) {
    /// Copies the list.
    public ReportDocument {
        sections = List.copyOf(sections);
    }

    /// The same report with `before` and `after` around its sections.
    public ReportDocument with(List<Section> before, List<Section> after) {
        List<Section> all = new ArrayList<>(before);
        all.addAll(sections);
        all.addAll(after);
        return new ReportDocument(title, subtitle, all, footer);
    }

    /// For a person, in a terminal of about 120 columns. The bottleneck comes last.
    public String text() {
        return TextRendering.of(this);
    }

    /// For programs: one JSON object.
    public String json() {
        return JsonRendering.of(this);
    }

    /// For a browser: one page that loads nothing else.
    public String html() {
        return HtmlRendering.of(this);
    }
}
