package org.jspdl.data.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {
    @Test
    void aNumberIsTheNearestDouble() {
        assertThat(Decimals.parse("0.1")).isEqualTo(0.1);
        assertThat(Decimals.parse("-1.5e3")).isEqualTo(-1_500);
        assertThat(Decimals.parse("1e-400")).isZero();
        assertThat(Decimals.parse("1.7976931348623157e308")).isEqualTo(Double.MAX_VALUE);
        assertThat(Decimals.parse("-Infinity")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Decimals.parse("NaN")).isNaN();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e309", "1d", "2f", "0x1p3", "1,5", "", "inf"})
    void whatIsNoNumberOrBeyondADoubleIsRefused(String text) {
        assertThatThrownBy(() -> Decimals.parse(text)).isInstanceOf(NumberFormatException.class);
    }
}
