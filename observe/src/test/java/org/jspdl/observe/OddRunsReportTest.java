package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspdl.observe.text.Figures;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Reports of runs that are short, empty, failed, ended early or branched: every number is one, and shares are shares.
class OddRunsReportTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PERCENT = Pattern.compile("([+-]?)([0-9][0-9.,]*) ?%");
    private static final long ALL = Long.MAX_VALUE;

    /// Pipelines, epochs, and how many batches are taken before the run is closed.
    static Stream<Arguments> odd() {
        Pipeline<Long> three = items(3);
        return Stream.of(
                Arguments.of("nothing", items(0), 1, ALL),
                Arguments.of("one item", items(1).pipe("work", item -> item, cpu(4)), 1, ALL),
                Arguments.of("one batch", items(5).batch(8, Remainder.KEEP), 1, ALL),
                Arguments.of("a remainder that is dropped", items(5).batch(8, Remainder.DROP), 1, ALL),
                Arguments.of(
                        "failures alone",
                        items(40).pipe("work", OddRunsReportTest::fail, cpu(2).failures(FailurePolicy.skip(100))),
                        2,
                        ALL),
                Arguments.of("nothing left", items(40).filter(_ -> false).batch(4, Remainder.KEEP), 3, ALL),
                Arguments.of("ended at the first", items(1_000).pipe("work", item -> item, io(8)), 1, 1),
                Arguments.of("never asked", items(1_000).pipe("work", item -> item, io(8)), 1, 0),
                Arguments.of("ended between epochs", items(4).pipe("work", item -> item, io(8)), 50, 4),
                Arguments.of("many short epochs", items(2).batch(2, Remainder.KEEP), 200, ALL),
                Arguments.of("two sources", Pipeline.merge(items(30), three), 2, ALL),
                Arguments.of(
                        "taken from an endless source", items(Long.MAX_VALUE).take(10), 1, ALL),
                Arguments.of(
                        "branches, one without items",
                        items(60)
                                .route("kind", item -> item % 2)
                                .<Long>when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                                .when(1L, way -> way.pipe("odd", item -> item, io(2)))
                                .when(2L, way -> way.pipe("never", item -> item, io(2)))
                                .merge()
                                .batch(4, Remainder.KEEP),
                        2,
                        ALL),
                Arguments.of(
                        "elements by their kind",
                        Pipeline.<Long, Long>routeElements(items(40).batch(4, Remainder.KEEP), "kind", item -> item % 2)
                                .when(0L, way -> way.pipe("even", item -> item, cpu(2)))
                                .when(1L, way -> way.pipe("odd", item -> item, io(2)))
                                .merge(),
                        2,
                        ALL),
                Arguments.of(
                        "a mix behind a merge",
                        Pipeline.mix(1, 0.9, 0.1)
                                .of(
                                        StoppingStrategy.ALL_EXHAUSTED,
                                        Pipeline.merge(items(9), items(7)).pipe("left", item -> item, io(2)),
                                        items(12).pipe("right", item -> item, cpu(2)))
                                .aggregate("window", Gatherers.windowFixed(4), GathererState.emptyAfterEmission()),
                        2,
                        ALL),
                Arguments.of(
                        "in turns", Pipeline.roundRobin(StoppingStrategy.ALL_EXHAUSTED, items(3), items(9)), 2, ALL),
                Arguments.of(
                        "names that are formats, markup and commands of terminals",
                        items(60)
                                .pipe("7 %d %s %n %", item -> item, cpu(2))
                                .pipe("<b onclick='x'>&\"{{name}}\u001b[31m", item -> item, io(2))
                                .pipe("画像\ud83d\ude00", item -> item, cpu(1))
                                .batch(4, Remainder.KEEP)
                                .named("1 %s </title>"),
                        2,
                        ALL),
                Arguments.of(
                        "one name of thousands of characters",
                        items(9).pipe("long".repeat(2_000), item -> item, cpu(2)),
                        1,
                        ALL),
                Arguments.of("more out than in", items(10).unbatch(item -> List.of(item, item, item)), 1, ALL));
    }

    private static Pipeline<Long> items(long count) {
        return Pipeline.from(Sources.range(count));
    }

    private static Long fail(Long item) {
        throw new IllegalArgumentException("item " + item + " is broken");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("odd")
    void everyNumberIsOneAndSharesAreShares(String name, Pipeline<?> pipeline, int epochs, long taken)
            throws Exception {
        Watch watch = Watch.every(Duration.ofMillis(1)).explainStalls();
        long left = taken;
        Run<?> closed;
        try (Run<?> run = pipeline.start(watch.on(RunOptions.defaults().epochs(epochs)))) {
            closed = run;
            do {
                for (; left > 0 && !run.epochEnded(); left--) {
                    if (run.poll(Duration.ofMillis(20)).isEmpty()) {
                        left++;
                    }
                }
            } while (left > 0 && run.nextEpoch());
        }
        Report report = watch.report(closed.stats());
        assertThat(closed.stats().bottleneck().toString()).startsWith("Bottleneck: ");

        for (Report each : List.of(report, report.counting("images", 0), report.counting("images", 2.5))) {
            List<String> wrong = new ArrayList<>();
            check("", JSON.readTree(each.json()), wrong);
            assertThat(wrong).as(each.json()).isEmpty();
            assertThat(each.html()).doesNotContain("<b onclick", "1 %s </title>");
            for (String form : List.of(each.text(), withoutCode(each.html()))) {
                assertThat(form).doesNotContain("NaN", "Infinity", "null%");
                Matcher percent = PERCENT.matcher(form);
                while (percent.find()) {
                    double value = Double.parseDouble(percent.group(2).replace(",", ""));
                    assertThat(percent.group(1).isEmpty() ? value : 0)
                            .as("%s of %s", percent.group(), form)
                            .isBetween(0.0, 100.0);
                }
            }
        }
    }

    private static void check(String key, JsonNode node, List<String> wrong) {
        if (node.isObject()) {
            node.properties().forEach(each -> check(each.getKey(), each.getValue(), wrong));
        } else if (node.isArray()) {
            node.forEach(each -> check(key, each, wrong));
        } else if (node.isNumber()) {
            double value = node.asDouble();
            boolean share = key.endsWith("_share") || key.equals("confidence");
            if (!Double.isFinite(value)
                    || (share && (value < 0 || value > 1))
                    || (key.endsWith("seconds") && value < 0)) {
                wrong.add(key + ": " + value);
            }
        } else if (node.isTextual()
                && Arrays.asList("NaN", "Infinity", "-Infinity").contains(node.asText())) {
            wrong.add(key + ": " + node.asText());
        }
    }

    private static String withoutCode(String page) {
        return page.replaceAll("(?s)<style>.*?</style>", "").replaceAll("(?s)<script.*?</script>", "");
    }

    @Test
    void slowRatesAreNotToldAsNothingAndHoursNotInSeconds() {
        assertThat(Figures.rate(0)).isEqualTo("0.0");
        assertThat(Figures.rate(0.0423)).isEqualTo("0.042");
        assertThat(Figures.rate(0.5)).isEqualTo("0.50");
        assertThat(Figures.rate(1.25)).isEqualTo("1.3");
        assertThat(Figures.rate(12_345.6)).isEqualTo("12,346");
        assertThat(Figures.time(Duration.ofSeconds(599))).isEqualTo("599.00 s");
        assertThat(Figures.time(Duration.ofSeconds(725))).isEqualTo("12 min 05 s");
        assertThat(Figures.time(Duration.ofMinutes(605))).isEqualTo("10 h 05 min");
    }
}
