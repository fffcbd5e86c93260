package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.internal.checkpoint.CheckpointSeal.sealed;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checkpoints come from files, and files from anywhere.
@Tag("slow")
class HostileCheckpointTest {
    private static final String DIGITS_AND_SIGNS = "0123456789-,\"[]{}:.eE ntf\\#>";

    private static final List<String> NUMBERS = List.of(
            "0",
            "1",
            "99",
            "-1",
            "100",
            "2147483647",
            "2147483648",
            "4294967296",
            "9007199254740993",
            "9223372036854775806",
            "9223372036854775807",
            "9223372036854775808",
            "99999999999999999999",
            "1e18",
            "0.5");
    private static final List<String> PIECES = List.of(
            "[",
            "]",
            "{",
            "}",
            ",",
            "\"\"",
            "null",
            "true",
            "0-999999999999,",
            "[[1,2]],",
            "\"epoch\":0,",
            "{\"a\":{}},",
            "\\u0000",
            "\u001b[2J",
            "\ud800");

    @Test
    void whatWasCutOffIsRefusedWhereverItWasCut() {
        String whole = rich().toJson();
        for (int length = 0; length < whole.length(); length++) {
            Checkpoint cut = Checkpoint.parse(whole.substring(0, length));
            assertThatThrownBy(() -> recipe().start(RunOptions.defaults().resumeFrom(cut)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("checkpoint is damaged: ");
        }
    }

    static Stream<Named<String>> written() {
        return Stream.of(
                Named.of("everything", rich().toJson()),
                Named.of("one source", sealed(plain())),
                Named.of("no items", startOf(numbers())),
                Named.of("groups", after(numbers().batch(8, Remainder.KEEP).unbatch(batch -> batch), 3)),
                Named.of("several epochs", rich().startOfEpoch(7).toJson()));
    }

    @ParameterizedTest
    @MethodSource("written")
    void anyCharacterThatWasAlteredIsFound(String whole) {
        Random random = new Random(1);
        for (int at = 0; at < whole.length(); at++) {
            char was = whole.charAt(at);
            List<Character> others = new ArrayList<>(List.of((char) (was ^ 1), (char) (was ^ 32), '0', ' ', '\u20ac'));
            others.add(DIGITS_AND_SIGNS.charAt(random.nextInt(DIGITS_AND_SIGNS.length())));
            for (char put : others) {
                String altered = whole.substring(0, at) + put + whole.substring(at + 1);
                if (put != was) {
                    assertDamaged(altered);
                }
            }
            assertDamaged(whole.substring(0, at) + whole.substring(at + 1));
            assertDamaged(whole.substring(0, at) + '1' + whole.substring(at));
        }
    }

    @ParameterizedTest
    @MethodSource("written")
    void tenThousandRandomAlterationsOfOneCharacterAreRefused(String whole) {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            StringBuilder altered = new StringBuilder(whole);
            int at = random.nextInt(whole.length());
            char put = random.nextInt(8) == 0
                    ? (char) random.nextInt(Character.MIN_SURROGATE)
                    : DIGITS_AND_SIGNS.charAt(random.nextInt(DIGITS_AND_SIGNS.length()));
            altered.setCharAt(at, put);
            if (put != whole.charAt(at)) {
                assertDamaged(altered.toString());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jspdl_checkpoint\":1,\"recipe\":[],\"epoch\":0,\"sources\":[]}",
                "{\"jspdl_checkpoint\":1,\"recipe\":[],\"epoch\":0,\"sources\":[],\"crc32c\":\"SEAL\"}",
                "{\"jspdl_checkpoint\":2,\"crc32c\":\"SEAL\"}"
            })
    void anotherFormatIsRefusedByItsNumberAndSaysWhatToDo(String text) {
        String other = text.contains("SEAL") ? sealed(text.substring(0, text.indexOf(",\"crc32c\"")) + "}") : text;
        assertThatThrownBy(() -> numbers().start(RunOptions.defaults().resumeFrom(Checkpoint.parse(other))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("the checkpoint has format [12], .* reads format 3 only. Finish the epoch .*");
    }

    @Test
    void whiteSpaceAroundACheckpointIsNoDamage() {
        try (Run<Long> run =
                recipe().start(RunOptions.defaults().resumeFrom(Checkpoint.parse("\n " + rich().toJson() + "\r\n")))) {
            assertThat(run.iterator().hasNext()).isTrue();
        }
    }

    private static void assertDamaged(String altered) {
        // Combining reads it as starting does, and starts no threads if it is accepted.
        assertThatThrownBy(() -> Checkpoint.combine(List.of(Checkpoint.parse(altered))))
                .as(altered)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("checkpoint is damaged: ");
    }

    private static <T> String after(Pipeline<T> pipeline, int items) {
        try (Run<T> run = pipeline.start()) {
            run.stream().limit(items).forEach(item -> {});
            return run.checkpoint().toJson();
        }
    }

    private static String startOf(Pipeline<Long> pipeline) {
        return after(pipeline, 0);
    }

    /// A campaign: numbers, signs and parts changed, repeated and moved, from a printed seed, with a checksum that
    /// is right. 300 checkpoints, with `-Pcampaign` 20,000, or `-Djspdl.campaign.count=N`; `-Xmx64m` is enough.
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatWasTamperedWithIsRefusedOrRunsToAnEnd() {
        long first = Long.getLong("jspdl.campaign.seed", 0);
        int count = Integer.getInteger("jspdl.campaign.count", Campaign.scale(300, 20_000));
        List<String> corpus = written().map(each -> unsealed(each.getPayload())).toList();
        int ran = 0;
        int refused = 0;
        for (long seed = first; seed < first + count; seed++) {
            Random random = new Random(seed);
            boolean rich = random.nextInt(3) > 0;
            String text = tampered(rich ? corpus.getFirst() : corpus.get(random.nextInt(corpus.size())), random);
            try {
                runToTheEnd(rich ? recipe() : numbers(), Checkpoint.parse(sealed(text)), seed, text);
                ran++;
            } catch (IllegalArgumentException | PipelineException expected) {
                assertThat(expected.getMessage()).as("seed %d: %s", seed, text).isNotBlank();
                refused++;
            } catch (RuntimeException | Error stray) {
                throw new AssertionError("seed " + seed + ": " + text, stray);
            }
        }
        System.out.printf(
                "mutated checkpoints, seeds from %d: %,d ran, %,d refused, heap %d MiB%n",
                first, ran, refused, Runtime.getRuntime().maxMemory() >> 20);
        assertThat(ran).isPositive();
        assertThat(refused).isPositive();
    }

    private static String tampered(String whole, Random random) {
        StringBuilder text = new StringBuilder(whole);
        for (int i = random.nextInt(4); i > 0; i--) {
            int begin = random.nextInt(4) == 0 ? 0 : text.indexOf("\"epoch\"");
            int at = Math.max(0, begin) + random.nextInt(text.length() - Math.max(0, begin));
            char put = DIGITS_AND_SIGNS.charAt(random.nextInt(DIGITS_AND_SIGNS.length()));
            switch (random.nextInt(6)) {
                case 0 -> text.setCharAt(at, put);
                case 1 -> text.insert(at, put);
                case 2 -> text.deleteCharAt(at);
                case 3 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 4 -> {
                    int end = Math.min(text.length(), at + 1 + random.nextInt(60));
                    text.insert(random.nextInt(text.length()), text.substring(at, end));
                }
                default -> { // a whole number becomes another
                    int end = at;
                    while (end < text.length() && Character.isDigit(text.charAt(end))) {
                        end++;
                    }
                    text.replace(at, end, NUMBERS.get(random.nextInt(NUMBERS.size())));
                }
            }
        }
        return text.toString();
    }

    private static void runToTheEnd(Pipeline<Long> pipeline, Checkpoint checkpoint, long seed, String text) {
        try (Run<Long> run = pipeline.start(RunOptions.defaults().epochs(2).resumeFrom(checkpoint))) {
            do {
                assertThat(run.stream().limit(10_000).count())
                        .as("seed %d: %s", seed, text)
                        .isLessThan(10_000);
            } while (run.nextEpoch());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0-999999999999",
                "1-9223372036854775806",
                "9223372036854775807",
                "99999999999999999999",
                "5-3",
                "-5",
                "5-",
                "1,,2",
                "a",
                "0-999999,1000000-1999999"
            })
    void impossiblePlacesInFlightAreRefused(String pending) {
        assertRefused(simple("\"epochs\":[{\"epoch\":0,\"pending\":\"" + pending + "\",\"next\":9}]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"epochs\":[]",
                "\"epochs\":{}",
                "\"epochs\":[7]",
                "\"epochs\":[{\"epoch\":0,\"pending\":\"\"}]",
                "\"epochs\":[{\"epoch\":-1,\"pending\":\"\",\"next\":0}]",
                "\"epochs\":[{\"epoch\":0.5,\"pending\":\"\",\"next\":0}]",
                "\"epochs\":[{\"epoch\":\"0\",\"pending\":\"\",\"next\":0}]",
                "\"epochs\":[{\"epoch\":1,\"pending\":\"\",\"next\":0},{\"epoch\":0,\"pending\":\"\",\"next\":0}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":7,\"next\":0}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":[[1]],\"next\":0}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":[[1,2]],\"next\":0}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":[true],\"next\":0}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":-1}]",
                "\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":9223372036854775807}]",
                "\"share\":[0,0,0],\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":0}]",
                "\"share\":[5,3,0],\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":0}]",
                "\"share\":[0,99999999999,0],\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":0}]",
                "\"share\":[0],\"epochs\":[{\"epoch\":0,\"pending\":\"\",\"next\":0}]"
            })
    void valuesOfTheWrongKindAreRefused(String source) {
        assertRefused(simple(source));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[7]",
                "{\"a\":1}",
                "{\"jspdl_checkpoint\":3}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":7,\"epoch\":0,\"sources\":[]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[7],\"epoch\":0,\"sources\":[]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":7}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":7}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[7]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,7]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"1-9223372036854775806\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0-999999999\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0,0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",-1,0,\"0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",99999999999,0,\"0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,9223372036854775807,\"a\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"split\",0,\"a\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",1,\"a\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"part\",0,\"0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"element\",0,\"99999999999\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"],[\"split\",1,\"a\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"group\",\"a\",0,\"0-1\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"group\",\"a\",0,7]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"group\",7,0,\"\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"other\",0,0]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"parts\":[[0,\"0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"parts\":[[2,\"0\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"parts\":[[1,\"1-9223372036854775806\"]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"parts\":[[1,7]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"parts\":{\"a\":7}}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"states\":{\"a\":{\"goes_on\":[0],\"again\":[[[0],0]]}}}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"provenance\":7}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"nodes\":[[\"item\",0,0,\"0\"],[\"split\",0,\"a\"]],\"provenance_changes\":[[1]]}",
                "{\"jspdl_checkpoint\":3,\"seed\":\"0\",\"recipe\":[],\"epoch\":0,\"sources\":[]}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"draws\":{\"a\":[[1]]}}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"failures\":{\"a\":[1]}}",
                "{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[],\"failures\":{\"a\":[1,-1]}}"
            })
    void whatIsNoCheckpointIsRefused(String text) {
        Checkpoint sealed = Checkpoint.parse(sealed(text));
        assertRefused(sealed);
        assertThatThrownBy(() -> Checkpoint.combine(List.of(sealed)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a checkpoint: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "7", "[]", "{}", "{\"jspdl_checkpoint\":3}"})
    void whatHasNoChecksumIsRefused(String text) {
        assertDamaged(text);
    }

    @Test
    void deepNestingIsRefused() {
        assertRefused(Checkpoint.parse(sealed("[".repeat(1_000_000))));
        assertRefused(Checkpoint.parse(sealed("{\"a\":".repeat(1_000_000))));
    }

    @Test
    void aCheckpointWithoutTheSourceIsRefused() {
        Checkpoint none = Checkpoint.parse(sealed(plain().replaceAll("\"sources\":.*", "\"sources\":[]}")));
        assertThatThrownBy(() -> numbers().start(RunOptions.defaults().resumeFrom(none)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 sources, and the pipeline 1");
    }

    @Test
    void ranksThatAreTooFarApartToHaveRunTogetherAreRefused() {
        Checkpoint near = rank(0, "{\"epoch\":0,\"pending\":\"\",\"next\":0}");
        Checkpoint farOn = rank(1, "{\"epoch\":0,\"pending\":\"\",\"next\":[4000000000000,\"4000000000001\"]}");
        Checkpoint epochsAhead = rank(1, "{\"epoch\":4000000000000,\"pending\":\"\",\"next\":0}");
        Checkpoint endless = rank(1, "{\"epoch\":0,\"pending\":\"\",\"next\":[5,\"9223372036854775807\"]}");

        assertThatThrownBy(() -> Checkpoint.combine(List.of(near, farOn))).hasMessageContaining("too far apart");
        assertThatThrownBy(() -> Checkpoint.combine(List.of(near, epochsAhead))).hasMessageContaining("too far apart");
        assertThatThrownBy(() -> Checkpoint.combine(List.of(near, endless)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a checkpoint: ");
    }

    private static Checkpoint rank(int rank, String epoch) {
        return Checkpoint.parse(
                sealed("{\"jspdl_checkpoint\":3,\"seed\":0,\"recipe\":[],\"epoch\":0,\"sources\":[{\"share\":[" + rank
                        + ",2,100],\"epochs\":[" + epoch + "]}]}"));
    }

    private static void assertRefused(Checkpoint checkpoint) {
        assertThatThrownBy(() -> numbers().start(RunOptions.defaults().resumeFrom(checkpoint)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("not a checkpoint: ");
    }

    /// A checkpoint of [#numbers] but for its source.
    private static Checkpoint simple(String source) {
        String text = plain();
        return Checkpoint.parse(
                sealed(text.substring(0, text.indexOf("\"sources\"")) + "\"sources\":[{" + source + "}]}"));
    }

    /// A checkpoint of [#numbers] without its checksum.
    private static String plain() {
        return unsealed(after(numbers(), 1));
    }

    private static String unsealed(String json) {
        return json.substring(0, json.indexOf(",\"crc32c\"")) + "}";
    }

    private static Pipeline<Long> numbers() {
        return Pipeline.from(Samplers.sequential(100)).pipe("work", item -> item, cpu(2));
    }

    /// A checkpoint with everything in it: shares, parts, groups, draws and failures.
    private static Checkpoint rich() {
        try (Run<Long> run = recipe().start(RunOptions.defaults().epochs(2))) {
            run.stream().limit(20).forEach(item -> {});
            return run.checkpoint();
        }
    }

    private static Pipeline<Long> recipe() {
        return Pipeline.mix(3, 1, 2)
                .<Long>of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(60, 1).shard(1, 2))
                                .batch(4, Remainder.KEEP)
                                .<Long>unbatch(Tuning.elements()),
                        Pipeline.from(Samplers.sequential(40))
                                .flatMap("twice", item -> List.of(item, item + 100), cpu(2)))
                .pipe("fail", HostileCheckpointTest::everyFifthFails, cpu(2).failures(FailurePolicy.skip(1_000)))
                .aggregate("window", Gatherers.windowFixed(3), GathererState.emptyAfterEmission())
                .unbatch(Tuning.elements());
    }

    private static Long everyFifthFails(Long item) {
        if (item % 5 == 0) {
            throw new IllegalStateException("bad item");
        }
        return item;
    }
}
