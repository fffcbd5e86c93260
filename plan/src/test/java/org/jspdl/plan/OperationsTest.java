package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.Run;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);

    private static final OperationProvider DOUBLING =
            () -> List.of(Operation.function("double", NUMBER, NUMBER, given -> number -> number * 2));

    @Test
    void theInstalledOperationsAreThoseOfTheServiceLoader() {
        assertThat(Operations.installed().all()).extracting(Operation::name).contains("range", "values", "lines");
    }

    @Test
    void twoOperationsOfOneNameAreRefused() {
        assertThatThrownBy(() -> Operations.of(List.of(DOUBLING, DOUBLING)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("there are two operations called 'double': double: Long -> Long, and");
    }

    @Test
    void operationsAreMadeWhenAPlanNamesOneOfTheirProvider() {
        AtomicInteger asked = new AtomicInteger();
        Operations operations = Operations.of(List.of(DOUBLING, named("halve", asked)));

        assertThat(operations.find("double")).isPresent();
        assertThat(operations.find("treble")).isEmpty();
        assertThat(asked).hasValue(0);
        assertThat(operations.find("halve")).isPresent();
        assertThat(operations.all()).extracting(Operation::name).containsExactly("double", "halve");
        assertThat(asked).hasValue(1);
    }

    private static OperationProvider named(String name, AtomicInteger asked) {
        return new OperationProvider() {
            @Override
            public List<String> names() {
                return List.of(name);
            }

            @Override
            public List<Operation> operations() {
                asked.incrementAndGet();
                return List.of(Operation.function(name, NUMBER, NUMBER, given -> number -> number / 2));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch", "name", "prefetch", "source", "mix", "cpu", " "})
    void anOperationMayNotTakeAKeywordOfTheLanguage(String name) {
        assertThatThrownBy(() -> Operation.filter(name, NUMBER, given -> number -> true))
                .hasMessage("an operation cannot be called '" + name + "'");
    }

    /// Numbers of accounts and versions are no numbers.
    @ParameterizedTest
    @ValueSource(strings = {"plan.yaml", "plan.json"})
    void settingsAreTheTextsThatWereWritten(String file) {
        Parameter<Map<String, String>> settings = Parameter.settings("settings");
        OperationProvider telling = () -> List.of(Operation.source(
                "told",
                TypeToken.of(String.class),
                given -> Sources.of(List.copyOf(given.get(settings).values())),
                settings));
        List<String> yaml = List.of("007", "1.10", "0x10", "1e3", "+5", "true", "'0123'", "12345678901234567", ".5");
        List<String> json = List.of("7", "1.10", "1e3", "1E+2", "-0", "true", "12345678901234567");
        List<String> values = file.endsWith("json") ? json : yaml;
        StringJoiner written = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < values.size(); i++) {
            written.add("\"s" + i + "\": " + values.get(i));
        }

        String text = "{\"source\": {\"told\": {\"settings\": " + written + "}}}";
        List<Object> told = new ArrayList<>();
        try (CompiledPlan plan =
                        Plan.of(file, text).compile(Operations.of(List.of(telling)), PlanContext.in(Path.of("")));
                Run<?> run = plan.start()) {
            run.forEach(told::add);
        }

        assertThat(told)
                .isEqualTo(values.stream().map(value -> value.replace("'", "")).toList());
    }
}
