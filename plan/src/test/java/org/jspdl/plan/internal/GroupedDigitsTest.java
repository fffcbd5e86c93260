package org.jspdl.plan.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GroupedDigitsTest {
    @Test
    void theyAreThoseOfFormats() {
        LongStream.of(
                        0,
                        1,
                        -1,
                        12,
                        999,
                        -999,
                        1000,
                        -1000,
                        65_536,
                        1_234_567,
                        -1_234_567,
                        Long.MAX_VALUE,
                        Long.MIN_VALUE)
                .forEach(value ->
                        assertThat(GroupedDigits.of(value)).isEqualTo(String.format(Locale.ROOT, "%,d", value)));
    }
}
