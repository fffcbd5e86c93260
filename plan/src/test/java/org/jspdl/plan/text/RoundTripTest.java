package org.jspdl.plan.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.MixEnd;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Remainder;
import org.jspdl.plan.Call;
import org.jspdl.plan.FailureRule;
import org.jspdl.plan.Flow;
import org.jspdl.plan.Flow.Start;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanNode;
import org.jspdl.plan.Running;
import org.jspdl.plan.Stage;
import org.jspdl.plan.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Plans survive being printed and read, whatever is in them.
class RoundTripTest {

    static Stream<Long> seeds() {
        return IntStream.range(0, 100).mapToObj(Long::valueOf);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aPlanIsReadFromYamlAndJsonAsItWasPrinted(long seed) {
        Plan plan = new Plans(new Random(seed)).plan();

        assertThat(Plan.of(plan.document())).isEqualTo(plan);
        assertThat(read(PlanPrinter.yaml(plan)))
                .as(() -> PlanPrinter.yaml(plan))
                .isEqualTo(plan);
        assertThat(read(PlanPrinter.json(plan)))
                .as(() -> PlanPrinter.json(plan))
                .isEqualTo(plan);
    }

    private static Plan read(String text) {
        return Plan.of(Document.of(text).root());
    }

    @Test
    void printedPlansLookAsAPersonWouldWriteThem() {
        Plan plan = new Plan(
                "numbers",
                new Flow(
                        new Start.From(new Call("range", PlanNode.Fields.of("size", new PlanNode.Whole(10)))),
                        List.of(
                                Step.Apply.of(
                                        new Call("times", PlanNode.Fields.of("by", new PlanNode.Whole(2))),
                                        Stage.of(Stage.Where.CPU, 4).inputOrder()),
                                Step.Apply.fused(Call.of("spell")),
                                new Step.Batch(8, Remainder.KEEP_REMAINDER, Optional.empty()))),
                2,
                Running.once());

        assertThat(PlanPrinter.yaml(plan)).isEqualTo("""
                name: numbers
                source:
                  range: {size: 10}
                steps:
                  - times: {by: 2}
                    cpu: 4
                    order: input
                  - spell
                  - {batch: 8}
                sink: 2
                """);
        assertThat(PlanPrinter.json(plan)).isEqualTo("""
                {
                  "name": "numbers",
                  "source": {
                    "range": {
                      "size": 10
                    }
                  },
                  "steps": [
                    {
                      "times": {
                        "by": 2
                      },
                      "cpu": 4,
                      "order": "input"
                    },
                    "spell",
                    {
                      "batch": 8
                    }
                  ],
                  "sink": 2
                }
                """);
    }

    /// Makes plans of all kinds.
    private record Plans(Random random) {
        private static final List<String> WORDS = List.of(
                "a",
                "true",
                "12",
                "1.5",
                "null",
                "~",
                "a: b",
                "- x",
                "#c",
                "",
                "\"q\"",
                "it's",
                "two\nlines",
                "tab\there",
                "é ü 漢 🎈",
                "trailing ",
                " leading",
                "*alias",
                "&anchor",
                "!tag",
                "%",
                "@",
                "{",
                "[",
                "0x1F",
                ".inf",
                "a.b[0]");

        Plan plan() {
            return new Plan(word("p"), flow(2), 1 + random.nextInt(9), running());
        }

        private Running running() {
            return new Running(
                    1 + random.nextInt(3),
                    random.nextBoolean() ? 0 : random.nextLong(),
                    random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(8)),
                    rule(),
                    maybe(() -> word("bad/")),
                    maybe(this::budget));
        }

        private ByteBudget budget() {
            long bytes = 1 + random.nextLong(1L << random.nextInt(1, 50));
            return new ByteBudget(bytes, random.nextBoolean() ? 0 : 1 + random.nextLong(bytes));
        }

        private Flow flow(int depth) {
            return new Flow(start(depth), steps(depth));
        }

        private Start start(int depth) {
            MixEnd end = random.nextBoolean() ? MixEnd.ALL_EXHAUSTED : MixEnd.FIRST_EXHAUSTED;
            return switch (depth == 0 ? 0 : random.nextInt(4)) {
                case 1 -> new Start.Merge(List.of(flow(depth - 1)));
                case 2 -> new Start.RoundRobin(end, List.of(flow(depth - 1), flow(depth - 1)));
                case 3 ->
                    new Start.Mix(
                            random.nextLong(),
                            List.of(random.nextDouble() + 1e-9, 3.0),
                            end,
                            List.of(flow(depth - 1), flow(depth - 1)));
                default -> new Start.From(call());
            };
        }

        private List<Step> steps(int depth) {
            return Stream.generate(() -> step(depth)).limit(random.nextInt(4)).toList();
        }

        private Step step(int depth) {
            return switch (random.nextInt(depth == 0 ? 3 : 4)) {
                case 0 ->
                    new Step.Batch(
                            1 + random.nextInt(99),
                            random.nextBoolean() ? Remainder.KEEP_REMAINDER : Remainder.DROP_REMAINDER,
                            maybe(this::time));
                case 1 -> new Step.Unbatch();
                case 2 -> new Step.Apply(call(), maybe(() -> word("n")), maybe(this::stage));
                default -> route(depth - 1);
            };
        }

        private Step route(int depth) {
            SequencedMap<String, List<Step>> ways = new LinkedHashMap<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                ways.put(word("k" + i), steps(depth));
            }
            return new Step.Route(
                    call(),
                    random.nextBoolean() ? Step.Route.Per.ITEM : Step.Route.Per.ELEMENT,
                    maybe(() -> word("r")),
                    ways,
                    maybe(() -> steps(depth)));
        }

        private Stage stage() {
            Stage.Where where = Stage.Where.values()[random.nextInt(3)];
            OptionalInt n = where == Stage.Where.DEDICATED
                    ? OptionalInt.of(1)
                    : random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(99));
            Order order = random.nextBoolean() ? Order.INPUT : Order.COMPLETION;
            return new Stage(where, n, order, 1 + random.nextInt(5), maybe(this::rule), maybe(this::time));
        }

        private FailureRule rule() {
            FailurePolicy base = switch (random.nextInt(3)) {
                case 0 -> FailurePolicy.failFast();
                case 1 -> FailurePolicy.skip(random.nextLong(1_000_000_000_000L));
                default -> FailurePolicy.skipRate(1 - random.nextDouble(), 1 + random.nextInt(200));
            };
            int attempts = 1 + random.nextInt(3);
            return new FailureRule(base, attempts, attempts == 1 || random.nextBoolean() ? Duration.ZERO : time());
        }

        private Duration time() {
            return Duration.ofNanos(1 + random.nextLong(1L << random.nextInt(1, 50)));
        }

        private Call call() {
            SequencedMap<String, PlanNode> parameters = new LinkedHashMap<>();
            for (int i = 0; i < random.nextInt(3); i++) {
                parameters.put(word("q" + i), node(2));
            }
            return new Call("op" + random.nextInt(5), new PlanNode.Fields(parameters));
        }

        private PlanNode node(int depth) {
            return switch (random.nextInt(depth == 0 ? 5 : 7)) {
                case 0 -> new PlanNode.Nothing();
                case 1 -> new PlanNode.Text(WORDS.get(random.nextInt(WORDS.size())));
                case 2 -> new PlanNode.Whole(random.nextLong());
                case 3 -> new PlanNode.Decimal(random.nextGaussian() * Math.pow(10, random.nextInt(-20, 20)));
                case 4 -> new PlanNode.Flag(random.nextBoolean());
                case 5 ->
                    new PlanNode.Items(Stream.generate(() -> node(depth - 1))
                            .limit(random.nextInt(3))
                            .toList());
                default -> PlanNode.Fields.of(word("f"), node(depth - 1));
            };
        }

        private String word(String prefix) {
            return prefix + WORDS.get(random.nextInt(WORDS.size()));
        }

        private <T> Optional<T> maybe(Supplier<T> value) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value.get());
        }
    }
}
