package org.jspdl.observe.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FiguresTest {
    /// Except halfway between two: there a format goes by the shortest decimal of the double.
    @Test
    void decimalsAreThoseThatAFormatWrites() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            int places = random.nextInt(7);
            double number = (random.nextInt(3) - 1) * Math.pow(10, random.nextDouble(-7, 14));
            String expected = String.format(Locale.ROOT, "%." + places + "f", number);

            String written = Figures.decimal(number, places);

            assertThat(written)
                    .as("%s with %d places", number, places)
                    .isEqualTo(expected.matches("-[0.]+") ? expected.substring(1) : expected);
        }
    }

    @Test
    void numbersAreWrittenAsPeopleReadThem() {
        assertThat(Figures.count(0)).isEqualTo("0");
        assertThat(Figures.count(999)).isEqualTo("999");
        assertThat(Figures.count(1_000)).isEqualTo("1,000");
        assertThat(Figures.count(-1_234_567)).isEqualTo("-1,234,567");
        assertThat(Figures.count(Long.MAX_VALUE)).isEqualTo("9,223,372,036,854,775,807");
        assertThat(Figures.count(Long.MIN_VALUE)).isEqualTo("-9,223,372,036,854,775,808");
        assertThat(Figures.rate(0)).isEqualTo("0.0");
        assertThat(Figures.rate(0.042)).isEqualTo("0.042");
        assertThat(Figures.rate(12.34)).isEqualTo("12.3");
        assertThat(Figures.rate(1_234.5)).isEqualTo("1,235");
        assertThat(Figures.rate(1e12)).isEqualTo("1,000,000,000,000");
        assertThat(Figures.bytes(300L << 20)).isEqualTo("300.0 MiB");
        assertThat(Figures.bytes(5L << 40)).isEqualTo("5,242,880.0 MiB");
        assertThat(Figures.time(Duration.ofNanos(850_400))).isEqualTo("850 us");
        assertThat(Figures.time(Duration.ofNanos(1_250_000))).isEqualTo("1.25 ms");
        assertThat(Figures.time(Duration.ofMillis(3_100))).isEqualTo("3.10 s");
        assertThat(Figures.time(Duration.ofSeconds(725))).isEqualTo("12 min 05 s");
        assertThat(Figures.share(0.424)).isEqualTo("42 %");
        assertThat(Figures.remaining(3 * 3600 + 12 * 60)).isEqualTo("3 h 12 min");
    }

    @Test
    void whatIsNoNumberIsAQuestionMark() {
        assertThat(Figures.rate(Double.NaN)).isEqualTo("?");
        assertThat(Figures.rate(Double.POSITIVE_INFINITY)).isEqualTo("?");
        assertThat(Figures.share(Double.NaN)).isEqualTo("? %");
    }
}
