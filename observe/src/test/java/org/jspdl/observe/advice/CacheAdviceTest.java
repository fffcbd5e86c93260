package org.jspdl.observe.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import java.util.Map;
import org.jspdl.observe.advice.CacheAdvice.Dataset;
import org.jspdl.observe.advice.CacheAdvice.Option;
import org.jspdl.observe.advice.CacheAdvice.Place;
import org.jspdl.observe.advice.CacheAdvice.Room;
import org.jspdl.observe.virtual.Tandem;
import org.jspdl.stats.model.PipelineModel;
import org.junit.jupiter.api.Test;

/// Images of 100 kB that become 150 kB, read by four workers and decoded by two, in virtual time.
class CacheAdviceTest {
    private static final long GB = 1L << 30;
    private static final Dataset IMAGES = new Dataset("read", "decode", 100_000, 100_000, 150_000);
    private static final Room LARGE = new Room(64 * GB, 500 * GB, 500e6);

    /// @param read   milliseconds of a read
    /// @param decode milliseconds of decoding an image
    private static PipelineModel model(double read, double decode) {
        return PipelineModel.of(
                Tandem.from(0).io("read", 4, read).io("decode", 2, decode).consume(4_000, 0.001),
                new PipelineModel.Processors(64, 1, Map.of()));
    }

    private static Option option(CacheAdvice advice, Place place) {
        return advice.options().stream()
                .filter(each -> each.place() == place)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void filesOfStorageFarAwayAreKeptInTheSmallestPlaceThatGainsAsMuch() {
        CacheAdvice advice = CacheAdvice.of(model(40, 2), IMAGES, LARGE);

        // 100 images/s are read and 1,000 decoded. What is decoded need not be decoded again, so it gains most.
        assertThat(option(advice, Place.ENCODED_IN_MEMORY).gain()).isCloseTo(10, within(0.5));
        assertThat(option(advice, Place.ENCODED_ON_DISK).gain()).isCloseTo(10, within(0.5));
        assertThat(option(advice, Place.ENCODED_IN_MEMORY).hits()).isEqualTo(1);
        assertThat(advice.options().getFirst().place().isDecoded()).isTrue();
        assertThat(advice.options().getLast().place()).isEqualTo(Place.NONE);
        assertThat(advice.bestOf(EnumSet.of(Place.ENCODED_IN_MEMORY)).place()).isEqualTo(Place.ENCODED_IN_MEMORY);
    }

    @Test
    void whatIsRandomIsNotKeptDecoded() {
        CacheAdvice advice = CacheAdvice.of(model(40, 2), new Dataset("read", "decode", 100_000, 100_000, 0), LARGE);

        assertThat(advice.options())
                .extracting(Option::place)
                .containsExactlyInAnyOrder(Place.ENCODED_IN_MEMORY, Place.ENCODED_ON_DISK, Place.NONE);
        assertThat(advice.best().place().isDecoded()).isFalse();
        assertThat(advice.best().gain()).isGreaterThan(9);
    }

    @Test
    void aCacheInFrontOfAStageThatLimitsNothingIsNotAdvised() {
        CacheAdvice advice = CacheAdvice.of(model(1, 10), new Dataset("read", "decode", 100_000, 100_000, 0), LARGE);

        assertThat(advice.best()).isEqualTo(new Option(Place.NONE, 0, 0, 1));
        assertThat(advice.best()).hasToString("no cache");
    }

    /// A third of the 10 GB fits into half of the memory, so two thirds are read as before.
    @Test
    void whatDoesNotFitIsReadAsBefore() {
        Room small = new Room(Math.round(2 * 10e9 / 3), 0, 500e6);

        CacheAdvice advice = CacheAdvice.of(model(40, 0.1), new Dataset("read", "decode", 100_000, 100_000, 0), small);

        Option memory = option(advice, Place.ENCODED_IN_MEMORY);
        assertThat(memory.hits()).isCloseTo(1.0 / 3, within(0.01));
        assertThat(memory.gain()).isCloseTo(1.5, within(0.1));
        assertThat(option(advice, Place.ENCODED_ON_DISK).hits()).isZero();
        assertThat(advice.best()).isEqualTo(memory);
        assertThat(memory.toString()).startsWith("files in memory: 3,178.9 MiB, 33 % hits, +");
    }

    @Test
    void aDiskThatIsSlowerThanTheStorageGainsNothing() {
        CacheAdvice advice = CacheAdvice.of(
                model(4, 0.1), new Dataset("read", "decode", 100_000, 100_000, 0), new Room(0, 500 * GB, 10e6));

        assertThat(option(advice, Place.ENCODED_ON_DISK).gain()).isCloseTo(1, within(0.01));
        assertThat(advice.best().place()).isEqualTo(Place.NONE);
    }
}
