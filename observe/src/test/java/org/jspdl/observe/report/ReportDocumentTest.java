package org.jspdl.observe.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspdl.json.Json;
import org.jspdl.observe.report.Section.Column;
import org.jspdl.observe.report.Section.Figure;
import org.junit.jupiter.api.Test;

class ReportDocumentTest {
    private static final String HOSTILE = "<script>\"&'{{title}}";

    private final ReportDocument report = new ReportDocument(
            "Pipeline " + HOSTILE,
            "now",
            List.of(
                    new Section.Line("A line of " + HOSTILE),
                    new Section.Figures(
                            "",
                            "",
                            List.of(
                                    Figure.of("rate", "throughput", new Value.Rate(1234, "images")),
                                    Figure.json("hidden", new Value.Count(7)),
                                    Figure.shown("only shown", "words"),
                                    Figure.of("unknown", "not known", new Value.Unknown()))),
                    new Section.Table(
                            "rows",
                            "Rows",
                            List.of(Column.words("name", "name"), Column.wide("p99", "p99"), Column.json("raw")),
                            List.of(row(HOSTILE, 1), row("second", 2), row("third", 3)),
                            "a note",
                            2),
                    new Section.Table("empty", "Empty", List.of(Column.words("name", "name")), List.of(), "", 9),
                    new Section.Plots(
                            "series",
                            "Over time",
                            new double[] {1, 2},
                            List.of(new Section.Plot(
                                    "Throughput",
                                    String::valueOf,
                                    List.of(new Section.Series("rate", "rate", new double[] {3, 4.5})))))),
            "the end");

    private static List<Value> row(String name, int number) {
        return List.of(new Value.Words(name), new Value.Time(Duration.ofMillis(number)), new Value.Share(number / 4.0));
    }

    @Test
    void detailsAreInThePageAlone() {
        ReportDocument page = new ReportDocument(
                "t",
                "s",
                List.of(Section.details(
                        "Details", List.of(Figure.json("heap_limit_bytes", new Value.Bytes(1_500_000_000))))),
                "e");

        assertThat(page.html()).contains("Details", "heap limit", "1,430.5 MiB");
        assertThat(page.text()).isEmpty();
        assertThat(page.json()).isEqualTo(new ReportDocument("t", "s", List.of(), "e").json());
    }

    @Test
    void jsonHasEveryKeyWithPlainNumbers() {
        Map<?, ?> json = (Map<?, ?>) requireNonNull(Json.parse(report.json()));

        assertThat(json.keySet().stream().map(String::valueOf))
                .containsExactly("rate", "hidden", "unknown", "rows", "empty", "series");
        assertThat(json.get("unknown")).isNull();
        assertThat((List<?>) json.get("empty")).isEmpty();
        assertThat(((List<?>) requireNonNull(json.get("rows"))).get(1))
                .hasToString("{name=second, p99=0.002, raw=0.5}");
        assertThat(json.get("series")).hasToString("{end_seconds=[1.0, 2.0], rate=[3.0, 4.5]}");
    }

    @Test
    void textHasWhatATerminalHasRoomFor() {
        assertThat(report.text())
                .contains("throughput               1,234 images/s", "only shown", "A line of " + HOSTILE)
                .contains("Rows", "second", "... and 1 more", "a note")
                .doesNotContain("hidden", "not known", "third", "p99", "Empty");
    }

    @Test
    void htmlEscapesEverythingAndShowsTablesWhole() {
        assertThat(report.html())
                .contains("1,234 images/s", "third", "<th>p99</th>", "2.00 ms", "a note", "<svg", "rate: 4.5 at 2.00 s")
                .contains("&lt;script&gt;&quot;&amp;&#39;{{title}}")
                .doesNotContain("<script", "hidden", "not known", "Empty")
                .endsWith("</html>\n");
    }
}
