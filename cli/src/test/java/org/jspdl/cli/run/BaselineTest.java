package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspdl.json.JsonWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {
    private static final int BATCH = 10;

    @TempDir
    Path folder;

    /// A run that took as much as this; each second differs by `noise` times a normal number.
    private record Ran(
            double rate,
            double processors,
            double bytes,
            double decodeSeconds,
            double noise,
            int seconds,
            double watts) {
        Ran(double rate, double processors, double bytes, double decodeSeconds, double noise, int seconds) {
            this(rate, processors, bytes, decodeSeconds, noise, seconds, 0);
        }

        static final Ran NORMAL = new Ran(20, 1.5, 1_000, 0.006, 0.02, 60);

        String json(long seed, Map<String, ?> settings) {
            Random random = new Random(seed);
            double[] rates = DoubleStream.generate(() -> Math.max(0.1, rate * (1 + noise * random.nextGaussian())))
                    .limit(seconds)
                    .toArray();
            double batches = DoubleStream.of(rates).sum();
            double items = BATCH * batches;
            JsonWriter json = JsonWriter.compact().beginObject();
            json.put("interrupted", false)
                    .put("total_items", items)
                    .put("batches", batches)
                    .put("settings", settings)
                    .put("storage", Map.of("bytes", bytes * items))
                    .put(
                            "series",
                            Map.of(
                                    "watts",
                                            watts == 0
                                                    ? List.of()
                                                    : DoubleStream.of(rates)
                                                            .map(each -> watts * each / rate)
                                                            .boxed()
                                                            .toList(),
                                    "end_seconds",
                                            IntStream.rangeClosed(1, seconds)
                                                    .boxed()
                                                    .toList(),
                                    "batches_per_second",
                                            DoubleStream.of(rates).boxed().toList(),
                                    "processors_used",
                                            DoubleStream.of(rates)
                                                    .map(each -> processors * each / rate)
                                                    .boxed()
                                                    .toList()))
                    .put("stages", List.of(stage("read", 0.001, items), stage("decode", decodeSeconds, items)))
                    .put("epochs", List.of());
            return json.endObject().document();
        }

        private static Map<String, ?> stage(String name, double seconds, double items) {
            return Map.of("name", name, "seconds_per_item", seconds, "cpu_share", 0.5, "completed", items);
        }
    }

    private Baseline baseline(String json) throws IOException {
        Path file = folder.resolve("old.json");
        Files.writeString(file, json);
        return Baseline.read(file);
    }

    private Baseline.Verdict compare(Ran then, Ran now) throws IOException {
        return baseline(then.json(1, Map.of())).compare(now.json(2, Map.of()));
    }

    @Test
    void theSameIsNotWorse() throws IOException {
        for (int noise = 0; noise < 40; noise += 4) {
            Ran ran = new Ran(20, 1.5, 1_000, 0.006, noise / 100.0, 60);

            assertThat(compare(ran, ran)).isEqualTo(new Baseline.Verdict(List.of(), List.of()));
        }
    }

    @Test
    void whatIsBetterIsNotWorse() throws IOException {
        assertThat(compare(Ran.NORMAL, new Ran(40, 1.5, 500, 0.003, 0.02, 60)).worse())
                .isEmpty();
    }

    @Test
    void lessThroughputIsFoundWithTheStageUnlessItIsNoise() throws IOException {
        Ran slow = new Ran(18, 1.35, 1_000, 0.008, 0.02, 60);
        assertThat(compare(Ran.NORMAL, slow).worse())
                .singleElement()
                .asString()
                .startsWith("throughput: 180 items/s, 20")
                .contains(" %, noise 3")
                .endsWith("; most in stage 'decode': time per item 8.00 ms, 6.00 ms before");

        Ran noisy = new Ran(18, 1.35, 1_000, 0.006, 0.4, 60);
        assertThat(compare(new Ran(20, 1.5, 1_000, 0.006, 0.4, 60), noisy).worse())
                .isEmpty();
    }

    @Test
    void moreProcessorTimeIsFoundWithTheStage() throws IOException {
        assertThat(compare(Ran.NORMAL, new Ran(20, 1.7, 1_000, 0.008, 0.02, 60)).worse())
                .singleElement()
                .asString()
                .startsWith("CPU: 8.50 s per 1,000 items, 7.50 before (+13.3 %, noise 3.0 %)")
                .contains("'decode': CPU per item 4.00 ms, 3.00 ms before");
    }

    @Test
    void moreEnergyIsFoundWhereBothRunsHaveIt() throws IOException {
        Ran then = new Ran(20, 1.5, 1_000, 0.006, 0.02, 60, 50);
        Ran now = new Ran(20, 1.5, 1_000, 0.006, 0.02, 60, 60);

        assertThat(compare(then, now).worse())
                .containsExactly("energy: 300 J per 1,000 items, 250 before (+20.0 %, noise 3.0 %)");
        assertThat(compare(then, then)).isEqualTo(new Baseline.Verdict(List.of(), List.of()));
        assertThat(compare(Ran.NORMAL, now).worse()).isEmpty();
        assertThat(compare(Ran.NORMAL, now).notCompared())
                .singleElement()
                .asString()
                .startsWith("energy: ")
                .endsWith("old.json does not have it");
        assertThat(compare(then, Ran.NORMAL).notCompared())
                .containsExactly("energy: the report of this run does not have it");
    }

    @Test
    void moreBytesAreFoundInRunsTooShortForTheRest() throws IOException {
        Ran then = new Ran(20, 1.5, 1_000, 0.006, 0.02, 5);
        Ran now = new Ran(5, 1.5, 1_100, 0.006, 0.02, 5);

        assertThat(compare(then, now).worse())
                .containsExactly("bytes read: 1,100 per item, 1,000 before (+10.0 %, noise 3.0 %)");
        assertThat(compare(then, now).notCompared()).singleElement().asString().contains("too short");
    }

    /// Of a short run of 10 items: what stages read and took of the energy.
    private static String stages(long all, long read, long decode, double joules) {
        return JsonWriter.compact()
                .beginObject()
                .put("interrupted", false)
                .put("total_items", 10)
                .put("batches", 10)
                .put("storage", Map.of("bytes", all))
                .put(
                        "stages",
                        List.of(
                                Map.of("name", "read", "completed", 10, "read_bytes", read, "joules", joules),
                                Map.of("name", "decode", "completed", 10, "read_bytes", decode)))
                .endObject()
                .document();
    }

    @Test
    void theStageThatReadsMoreIsNamed() throws IOException {
        assertThat(baseline(stages(10_000, 9_000, 1_000, 1))
                        .compare(stages(12_000, 9_000, 3_000, 1))
                        .worse())
                .containsExactly("bytes read: 1,200 per item, 1,000 before (+20.0 %, noise 3.0 %);"
                        + " most in stage 'decode': bytes read per item 300 B, 100 B before");
    }

    @Test
    void aStageThatReadsMoreIsFoundAlsoWhereAnotherReadsLess() throws IOException {
        assertThat(baseline(stages(10_000, 9_000, 1_000, 1))
                        .compare(stages(10_000, 8_000, 2_000, 1))
                        .worse())
                .containsExactly("bytes read by stage 'decode': 200 per item, 100 before (+100.0 %, noise 3.0 %)");
    }

    /// Reports of versions that did not tell it.
    @Test
    void stagesWhoseReadsAreNotKnownAreNotCompared() throws IOException {
        String old = stages(10_000, 9_000, 1_000, 1).replace("read_bytes", "other");

        assertThat(baseline(old).compare(stages(10_000, 9_000, 1_000, 1)).worse())
                .isEmpty();
        assertThat(baseline(old).compare(stages(20_000, 9_000, 11_000, 1)).worse())
                .containsExactly("bytes read: 2,000 per item, 1,000 before (+100.0 %, noise 3.0 %)");
    }

    @Test
    void runsOfAnotherKindAreNotCompared() throws IOException {
        Baseline old = baseline(Ran.NORMAL.json(1, Map.of("batch_size", 64)));

        assertThatThrownBy(() -> old.compare(Ran.NORMAL.json(1, Map.of("batch_size", 32))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("batch_size is 32")
                .hasMessageContaining("it is 64");
    }

    @Test
    void whatIsNoReportIsRefused() {
        for (String text : List.of("", "{", "[]", "{\"items\": 3}", "{\"total_items\": \"3\"}")) {
            assertThatThrownBy(() -> baseline(text)).hasMessageContaining("no report of 'jspdl run --json'");
        }
        assertThatThrownBy(() -> baseline("{\"total_items\": 3, \"interrupted\": true}"))
                .hasMessageContaining("interrupted");
    }
}
