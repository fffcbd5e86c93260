package org.jspdl.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspdl.cli.tune.Knob.Kind;
import org.junit.jupiter.api.Test;

/// The search, over simulated pipelines.
class TuneSearchTest {
    private static final Knob READ = new Knob("read", Kind.WORKERS, 1, 256, 2);
    private static final Knob DECODE = new Knob("decode", Kind.WORKERS, 1, 8, 2);
    private static final Knob BUFFER = new Knob("buffer", Kind.BUFFERS, 1, 64, 2);
    private static final Knob PREFETCH = new Knob("prefetch", Kind.PREFETCH, 1, 64, 2);
    private static final List<Knob> KNOBS = List.of(READ, DECODE, BUFFER, PREFETCH);

    /// Lets `search` try settings until it has no more, or as many as are allowed.
    private static List<Setting> tried(
            TuneSearch search, int most, ToDoubleFunction<Setting> rate, Predicate<Setting> fits) {
        List<Setting> tried = new ArrayList<>();
        for (Optional<Setting> next = search.next(); next.isPresent() && tried.size() < most; next = search.next()) {
            tried.add(next.get());
            search.measured(rate.applyAsDouble(next.get()), fits.test(next.get()));
        }
        return tried;
    }

    @Test
    void itFindsNearlyTheBestOfPipelinesItDoesNotKnowDespiteNoise() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SimulatedStore store = new SimulatedStore(random);
            TuneSearch search = new TuneSearch(KNOBS);

            List<Setting> tried =
                    tried(search, 36, each -> store.rate(each) * (1 + 0.005 * random.nextGaussian()), _ -> true);

            assertThat(store.rate(search.best().orElseThrow()))
                    .as("seed %d after %d trials: %s of %s", seed, tried.size(), search.best(), store)
                    .isGreaterThan(0.9 * store.best());
            assertThat(tried).doesNotHaveDuplicates();
        }
    }

    @Test
    void equalMeasurementsLeadToEqualTrials() {
        SimulatedStore store = new SimulatedStore(new Random(7));

        assertThat(tried(new TuneSearch(KNOBS), 50, store::rate, _ -> true))
                .isEqualTo(tried(new TuneSearch(KNOBS), 50, store::rate, _ -> true))
                .hasSizeGreaterThan(8);
    }

    @Test
    void whatDoesNotHelpIsMadeSmaller() {
        TuneSearch search = new TuneSearch(List.of(new Knob("read", Kind.WORKERS, 1, 256, 64)));

        tried(
                search,
                50,
                each -> Math.min(100, 25.0 * each.values().firstEntry().getValue()),
                _ -> true);

        assertThat(search.best()).hasToString("Optional[read 4]");
    }

    @Test
    void theLimitsOfEachNumberHold() {
        TuneSearch search = new TuneSearch(KNOBS);

        List<Setting> tried = tried(search, 500, each -> each.of(READ) * each.of(DECODE), _ -> true);

        assertThat(tried)
                .allSatisfy(setting -> setting.values()
                        .forEach((knob, value) -> assertThat(value).isBetween(knob.least(), knob.most())));
        assertThat(search.best().orElseThrow().of(DECODE)).isEqualTo(8);
        assertThat(search.best().orElseThrow().of(READ)).isEqualTo(256);
    }

    @Test
    void nothingBeyondTheBudgetIsChosenAndTooLargeAStartShrinks() {
        Knob wide = new Knob("read", Kind.WORKERS, 1, 256, 128);
        TuneSearch search = new TuneSearch(List.of(wide));

        tried(search, 50, each -> each.of(wide), each -> each.of(wide) <= 20);

        assertThat(search.best().orElseThrow().of(wide)).isBetween(14, 20);
    }

    @Test
    void ifNothingFitsThereIsNoBest() {
        TuneSearch search = new TuneSearch(KNOBS);

        List<Setting> tried = tried(search, 50, _ -> 1, _ -> false);

        assertThat(search.best()).isEmpty();
        assertThat(tried.getLast().values().values()).containsOnly(1);
    }

    /// A store that answers some requests at once, and processors that are shared by reading and decoding.
    private static final class SimulatedStore {
        private final double latency;
        private final int atOnce;
        private final double reading;
        private final double decoding;
        private final int processors;

        SimulatedStore(Random random) {
            latency = Math.exp(random.nextDouble() * 4) * 2e-3;
            atOnce = 1 + random.nextInt(100);
            reading = 1e-4 * (1 + random.nextInt(10));
            decoding = 1e-3 * (1 + random.nextInt(10));
            processors = 1 + random.nextInt(8);
        }

        double rate(Setting setting) {
            double reads = Math.min(setting.of(READ), atOnce) / (latency + reading);
            double decodes = Math.min(setting.of(DECODE), processors) / decoding;
            double all = processors / (reading + decoding);
            double smooth = 1 - 0.2 / (setting.of(BUFFER) + setting.of(PREFETCH));
            return smooth * Math.min(all, Math.min(reads, decodes));
        }

        double best() {
            double best = 0;
            for (int read = 1; read <= READ.most(); read++) {
                for (int decode = 1; decode <= DECODE.most(); decode++) {
                    double rate = Math.min(
                            processors / (reading + decoding),
                            Math.min(
                                    Math.min(read, atOnce) / (latency + reading),
                                    Math.min(decode, processors) / decoding));
                    best = Math.max(best, rate);
                }
            }
            return best;
        }

        @Override
        public String toString() {
            return "latency " + latency + ", " + atOnce + " at once, reading " + reading + ", decoding " + decoding
                    + ", processors " + processors;
        }
    }
}
