package org.jspdl.micrometer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

/// Every metric and label that the dashboard for Grafana asks for is one of a run.
class GrafanaDashboardTest {
    private static final Path DASHBOARD = Path.of("../docs/grafana/jspdl.json");
    private static final Pattern METRIC = Pattern.compile("(jspdl_\\w+)(?:\\{([^}]*)\\})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=(~?)\"([^\"]*)\"");

    /// By the name that Prometheus has for a metric, its labels and their values.
    private final Map<String, Map<String, Set<String>>> metrics = new HashMap<>();

    private void collect() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(5)).pipe("work", item -> item, StageOptions.cpu(1));
        try (Run<Long> run = pipeline.start();
                RunMetrics bound = RunMetrics.bind(run, registry)) {
            assertThat(bound).isNotNull();
            for (Meter meter : registry.getMeters()) {
                Map<String, Set<String>> labels = metrics.computeIfAbsent(prometheus(meter), _ -> new HashMap<>());
                for (Tag tag : meter.getId().getTags()) {
                    labels.computeIfAbsent(tag.getKey(), _ -> new TreeSet<>()).add(tag.getValue());
                }
            }
        }
    }

    /// As Prometheus' naming convention of Micrometer has it: the unit and `total` are parts of the name.
    private static String prometheus(Meter meter) {
        String name = meter.getId().getName().replace('.', '_');
        String unit = meter.getId().getBaseUnit();
        String withUnit = unit == null || name.endsWith("_" + unit) ? name : name + "_" + unit;
        return meter instanceof FunctionCounter ? withUnit + "_total" : withUnit;
    }

    /// The texts of all members called `name` in a JSON value.
    private static Stream<String> texts(Object json, String name) {
        return switch (json) {
            case Map<?, ?> object ->
                object.entrySet().stream()
                        .flatMap(entry -> entry.getKey().equals(name) && entry.getValue() instanceof String text
                                ? Stream.of(text)
                                : texts(entry.getValue(), name));
            case List<?> list -> list.stream().flatMap(each -> texts(each, name));
            case null, default -> Stream.empty();
        };
    }

    @Test
    void everyMetricAndLabelOfTheDashboardExists() throws Exception {
        collect();
        Object dashboard = Objects.requireNonNull(Json.parse(Files.readString(DASHBOARD)));
        List<String> questions = new ArrayList<>(texts(dashboard, "expr").toList());
        assertThat(questions).hasSizeGreaterThan(10);
        questions.addAll(texts(dashboard, "query").toList());
        Set<String> asked = new TreeSet<>();
        for (String question : questions) {
            for (MatchResult found : METRIC.matcher(question).results().toList()) {
                asked.add(found.group(1));
                assertThat(metrics).as(question).containsKey(found.group(1));
                Map<String, Set<String>> labels = requireNonNull(metrics.get(found.group(1)));
                String conditions = found.group(2);
                for (MatchResult label : LABEL.matcher(conditions == null ? "" : conditions)
                        .results()
                        .toList()) {
                    assertThat(labels).as(question).containsKey(label.group(1));
                    if (label.group(2).isEmpty()) {
                        assertThat(labels.get(label.group(1))).as(question).contains(label.group(3));
                    }
                }
            }
        }
        assertThat(asked).hasSizeGreaterThan(9);
    }

    @Test
    void theLinesThatTheGuideQuotesHaveTheSameNames() throws Exception {
        collect();
        String guide = Files.readString(Path.of("../docs/how-to/observe.md"));

        List<String> quoted = Pattern.compile("(?m)^(jspdl_\\w+)\\{")
                .matcher(guide)
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(quoted).hasSize(6);
        assertThat(metrics.keySet()).containsAll(quoted);
    }
}
