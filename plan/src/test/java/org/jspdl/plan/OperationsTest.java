package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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

    @ParameterizedTest
    @ValueSource(strings = {"batch", "name", "prefetch", "source", "mix", "cpu", " "})
    void anOperationMayNotTakeAKeywordOfTheLanguage(String name) {
        assertThatThrownBy(() -> Operation.filter(name, NUMBER, given -> number -> true))
                .hasMessage("an operation cannot be called '" + name + "'");
    }
}
