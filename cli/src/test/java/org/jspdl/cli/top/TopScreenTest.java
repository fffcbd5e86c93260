package org.jspdl.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.cli.top.TopScreen.Selection;
import org.jspdl.cli.top.TopScreen.Sort;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.text.DisplayText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopScreenTest {
    /// A run at one moment; `second` is how long it goes on.
    private static LiveLook look(double second, String tuner) {
        long items = Math.round(1_000 * second);
        return new LiveLook(
                "7-x.sock",
                4_711,
                "images",
                second,
                items / 64,
                0,
                second / 4,
                new LiveLook.Usage(100 + second, 1.5 * second, 1.75 * second, 2, 300L << 20, 1 << 20),
                List.of(
                        stage("images", "source", 1, items, 0.01 * second, 0.9 * second, 8),
                        stage("read", "cpu", 2, items, 0.5 * second, 0.1 * second, 1),
                        stage("decode", "cpu", 2, items, 1.6 * second, 0.2 * second, 2)),
                tuner,
                List.of("9 s: tried concurrency of 'read' from 2 to 4: the model expects +12 % throughput"),
                Set.of());
    }

    private static LiveLook.Stage stage(
            String name, String placement, int workers, long items, double busy, double starved, int queued) {
        return new LiveLook.Stage(name, placement, workers, items, 0, busy, starved, 0, 0, 0.0016, 0.004, queued, 10);
    }

    private static List<String> lines(int columns, Sort sort) {
        Seen seen = new Seen(look(60, "trying"), Optional.of(look(59, "trying")));
        return new TopScreen(columns, sort, Optional.empty(), false).lines(List.of(seen));
    }

    @Test
    void eightyColumns() {
        assertThat(String.join("\n", lines(80, Sort.PIPELINE))).isEqualTo("""
                pid 4711 'images' 1 min 00 s   16.0 batches/s   consumer starved 25 %
                CPU 1.50 of 2, others 0.25   memory 300.0 MiB
                stage  workers  items/s      mean starved backpressured     queue   busy
                images       1    1,000   1.60 ms    90 %           0 %      8/10    1 % .......
                read         2    1,000   1.60 ms     5 %           0 %      1/10   25 % ##.....
                decode       2    1,000   1.60 ms    10 %           0 %      2/10   80 % ######.
                tuner: trying
                  9 s: tried concurrency of 'read' from 2 to 4: the model expects +12 %
                    throughput""");
    }

    @Test
    void fortyColumns() {
        assertThat(String.join("\n", lines(40, Sort.PIPELINE))).isEqualTo("""
                pid 4711 'images' 1 min 00 s
                16.0 batches/s   consumer starved 25 %
                CPU 1.50 of 2, others 0.25
                memory 300.0 MiB
                stage  workers  items/s   busy
                images       1    1,000    1 % .........
                read         2    1,000   25 % ##.......
                decode       2    1,000   80 % #######..
                tuner: trying
                  9 s: tried concurrency of 'read' from
                    2 to 4: the model expects +12 %
                    throughput""");
    }

    @Test
    void twoHundredColumns() {
        assertThat(String.join("\n", lines(200, Sort.PIPELINE))).isEqualTo("""
                pid 4711 'images' 1 min 00 s   16.0 batches/s   consumer starved 25 %   CPU 1.50 of 2, others 0.25   memory 300.0 MiB
                stage  workers  items/s      mean       p99 starved backpressured     queue  failed   busy
                images       1    1,000   1.60 ms   4.00 ms    90 %           0 %      8/10       0    1 % ........................................
                read         2    1,000   1.60 ms   4.00 ms     5 %           0 %      1/10       0   25 % ##########..............................
                decode       2    1,000   1.60 ms   4.00 ms    10 %           0 %      2/10       0   80 % ################################........
                tuner: trying
                  9 s: tried concurrency of 'read' from 2 to 4: the model expects +12 % throughput""");
    }

    @Test
    void aStageWhoseCallsAreNotToldApartHasNoPercentile() {
        LiveLook one = look(60, "settled");
        LiveLook.Stage batch = new LiveLook.Stage("batch(8)", "inline", 1, 100, 0, 0.1, 0.2, 0, 0, 0.001, 0, 0, 3);
        LiveLook run = new LiveLook(
                one.run(),
                one.pid(),
                "images",
                60,
                100,
                0,
                1,
                one.process(),
                List.of(batch),
                "off",
                List.of(),
                Set.of());
        List<String> lines = new TopScreen(200, Sort.PIPELINE, Optional.empty(), false)
                .lines(List.of(new Seen(run, Optional.empty())));

        assertThat(lines).anyMatch(line -> line.startsWith("batch(8)") && line.contains("1.00 ms"));
        assertThat(lines).noneMatch(line -> line.contains("0 us"));
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 40, 63, 80, 120, 200, 400})
    void noLineIsWiderThanTheTerminalAndEachStageHasItsLine(int columns) {
        List<String> lines = lines(columns, Sort.BUSY);

        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
        assertThat(lines).anyMatch(line -> line.startsWith("decode")).anyMatch(line -> line.startsWith("read"));
    }

    @Test
    void stagesAreSortedAsAsked() {
        assertThat(names(Sort.PIPELINE)).containsExactly("images", "read", "decode");
        assertThat(names(Sort.BUSY)).containsExactly("decode", "read", "images");
        assertThat(names(Sort.QUEUE)).containsExactly("images", "decode", "read");
        assertThat(Sort.QUEUE.next()).isEqualTo(Sort.PIPELINE);
    }

    @Test
    void theSelectedStageIsMarkedAndNoLineIsWider() {
        Seen seen = new Seen(look(60, "off"), Optional.of(look(59, "off")));
        List<String> lines = new TopScreen(40, Sort.PIPELINE, Optional.of(new Selection("7-x.sock", "read")), false)
                .lines(List.of(seen));

        assertThat(lines)
                .containsSubsequence(
                        "  stage  workers  items/s   busy",
                        "  images       1    1,000    1 % .......",
                        "> read         2    1,000   25 % ##.....",
                        "  decode       2    1,000   80 % ######.");
    }

    private static List<String> names(Sort sort) {
        return lines(80, sort).stream()
                .map(line -> line.split(" ", 2)[0])
                .filter(List.of("images", "read", "decode")::contains)
                .toList();
    }

    @Test
    void theFirstLookShowsMeansSinceTheStart() {
        List<String> lines = new TopScreen(80, Sort.PIPELINE, Optional.empty(), false)
                .lines(List.of(new Seen(look(60, "off"), Optional.empty())));

        assertThat(lines).anyMatch(line -> line.contains("15.6 batches/s")).anyMatch(line -> line.contains(" 80 %"));
        assertThat(lines).noneMatch(line -> line.contains("tuner"));
    }

    /// The process may have worked for hours before the run began.
    @Test
    void theFirstLookSaysNothingOfTheProcessorsThatTheRunUsed() {
        LiveLook late = new LiveLook(
                "7-x.sock",
                4_711,
                "images",
                1,
                10,
                0,
                0.1,
                new LiveLook.Usage(9_000, 7_200, 9_000, 2, 1, 1),
                List.of(),
                "off",
                List.of(),
                Set.of());

        assertThat(screen(80, late, Optional.empty())).noneMatch(line -> line.contains("CPU"));
    }

    private static List<String> screen(int columns, LiveLook now, Optional<LiveLook> before) {
        return new TopScreen(columns, Sort.PIPELINE, Optional.empty(), false).lines(List.of(new Seen(now, before)));
    }

    private static LiveLook named(String pipeline, String stage, double second) {
        return new LiveLook(
                "7-x.sock",
                4_711,
                pipeline,
                second,
                Math.round(second),
                3,
                second / 4,
                new LiveLook.Usage(second, second, second, 2, 300L << 20, 1 << 20),
                List.of(
                        stage(stage, "cpu", 2, 7, 0.5 * second, 0.1 * second, 1),
                        stage(stage + "2", "cpu", 2, 7, 0.5 * second, 0.1 * second, 1)),
                "trying",
                List.of("9 s: tried concurrency of '" + stage + "' from 2 to 4"),
                Set.of());
    }

    @Test
    void namesOfAnyCharactersTakeNoMoreThanTheirLineAndControlNothing() {
        for (String name : List.of(
                "画像を読み込むステージの名前はとても長いです",
                "🖼️".repeat(30),
                "e\u0301te\u0301 ".repeat(12),
                "\u001b[31mred\u001b[0m\r\nsecond line\t\u202eleft",
                "aVeryLongNameOfAStageWithoutAnySpacesThatIsWiderThanFortyColumnsAndThenSome",
                "\ud800 half",
                "")) {
            for (int columns : new int[] {20, 40, 41, 80, 200}) {
                assertThat(screen(columns, named(name, name, 60), Optional.of(named(name, name, 59))))
                        .allSatisfy(line -> {
                            assertThat(DisplayText.width(line)).as(line).isLessThanOrEqualTo(columns);
                            assertThat(line.chars().noneMatch(c -> c < ' ' || c == 127 || c == 0x202e))
                                    .as(line)
                                    .isTrue();
                        });
            }
        }
    }

    @Test
    void longNamesKeepTheirEndsWhichTellPartsOfOnePipelineApart() {
        String name = "images.left.decode-and-resize-and-crop";

        assertThat(screen(80, named("p", name, 60), Optional.of(named("p", name, 59))))
                .anyMatch(line -> line.startsWith("images.left~ize-and-crop "))
                .anyMatch(line -> line.startsWith("images.left~ze-and-crop2 "));
    }

    /// A clock or a counter that went back, and a look that has lost its stages.
    @Test
    void countersThatFallBackGiveNoNegativeFigures() {
        LiveLook before = look(61, "off");
        LiveLook now = new LiveLook(
                "7-x.sock",
                4_711,
                "images",
                61,
                0,
                0,
                0,
                new LiveLook.Usage(1, 0, -1, 2, -1, -1),
                List.of(stage("images", "source", 0, 0, 0, 0, 0)),
                "off",
                List.of(),
                Set.of());

        List<String> lines = screen(80, now, Optional.of(before));

        assertThat(lines)
                .allSatisfy(line -> assertThat(line)
                        .doesNotContainPattern("-[0-9]")
                        .doesNotContain("NaN")
                        .doesNotContain("Infinity"));
    }

    @Test
    void withoutRunsItSaysSo() {
        assertThat(new TopScreen(80, Sort.PIPELINE, Optional.empty(), true).lines(List.of()))
                .containsExactly("No run of this user can be looked at. A run appears in its second second.");
    }

    /// A look each second at a run whose consumer waits for 2 % of the time, then for 30 %, then for 2 % again.
    @Test
    void aRiseOfTheConsumersWaitIsShownUntilItEnds() {
        TopAlarms alarms = new TopAlarms();
        List<String> shown = new ArrayList<>();
        double starved = 0;
        for (int second = 1; second <= 120; second++) {
            starved += second > 40 && second <= 80 ? 0.3 : 0.02;
            LiveLook look = new LiveLook(
                    "7-x.sock",
                    4_711,
                    "images",
                    second,
                    second,
                    0,
                    starved,
                    new LiveLook.Usage(second, 0, 0, 2, 0, 0),
                    List.of(),
                    "",
                    List.of(),
                    Set.of());
            List<String> lines =
                    new TopScreen(80, Sort.PIPELINE, Optional.empty(), false).lines(alarms.see(List.of(look)));
            String alarm = lines.stream()
                    .filter(line -> line.startsWith("! "))
                    .findFirst()
                    .orElse("");
            if (second == 40 || second == 60 || second == 120) {
                shown.add(alarm);
            }
        }

        assertThat(shown).containsExactly("", "! starved for 30.0 % of the last 10 s, 2.0 % before", "");
    }
}
