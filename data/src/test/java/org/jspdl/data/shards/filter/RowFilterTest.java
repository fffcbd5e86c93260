package org.jspdl.data.shards.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowFilterTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a b\" >= -1.50 and x.y<>'it''s and'AND z = TRUE | (\"a b\" >= -1.50 and \"x.y\" != 'it''s and' and \"z\" = true)",
                "label >= 3 and lang == 'en' | (\"label\" >= 3 and \"lang\" = 'en')",
                "a = 1 or b = 2 and c = 3 | (\"a\" = 1 or (\"b\" = 2 and \"c\" = 3))",
                "(a = 1 or b = 2) and not c = 3 | ((\"a\" = 1 or \"b\" = 2) and not (\"c\" = 3))",
                "a in (1,2.5) | (\"a\" = 1 or \"a\" = 2.5)",
                "a not in ('x') | not (\"a\" = 'x')",
                "a IS NOT NULL or b is null | (not (\"a\" is null) or \"b\" is null)",
                "\"in\"=1e3 | \"in\" = 1E+3",
                "\"a\"\"b\" < .5 | \"a\"\"b\" < 0.5",
            })
    void isReadAsSqlIs(String text, String shown) {
        RowFilter filter = RowFilter.parse(text);

        assertThat(filter).hasToString(shown);
        assertThat(RowFilter.parse(shown)).isEqualTo(filter);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "a", "a = ", "a = b", "a = 'x", "a = 1 and", "= 1", "a === 1", "a = 1e999999999", "a = 1 b = 2",
                "(a = 1", "a = 1)", "a in ()", "a in (1", "a in 1", "a is 3", "a not = 3", "not", "and = 1", "\"\" = 1",
                "a = 3and b = 2", "a = 0x10", "\"a = 1"
            })
    void whatIsNoFilterIsRefusedWithThePlace(String text) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> RowFilter.parse(text))
                .withMessageContaining("is wrong at character");
    }

    @Test
    void whatWouldTakeForeverIsRefused() {
        for (String text : new String[] {
            "(".repeat(100_000),
            "not ".repeat(100_000),
            "a = 1 or ".repeat(5_000) + "a = 2",
            "a = " + "1".repeat(100_000)
        }) {
            assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> RowFilter.parse(text));
        }
        assertThat(RowFilter.parse("a = '" + "''".repeat(100_000) + "'").columns())
                .containsExactly("a");
    }

    @Test
    void namesEachColumnOnce() {
        assertThat(RowFilter.parse("b = 1 and (a is null or not b > 3)").columns())
                .containsExactly("b", "a");
    }
}
