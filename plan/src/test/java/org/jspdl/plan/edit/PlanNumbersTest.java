package org.jspdl.plan.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.OptionalInt;
import org.jspdl.plan.Plan;
import org.junit.jupiter.api.Test;

class PlanNumbersTest {
    private static final PlanNumbers NUMBERS = new PlanNumbers(
            Map.of("read", 7, "decode", 3), Map.of("read", 9, "decode", 9), OptionalInt.of(5), OptionalInt.of(2));

    @Test
    void numbersAreWrittenWhereTheyAreAndCommentsStay() {
        String plan = """
                # ours
                name: train
                prefetch: 1   # batches
                source: {range: {to: 3}}
                steps:
                  - load: {}
                    name: read
                    io: auto  # 😀 waits
                    buffer: 4
                  - {decode: {cpu: 8}, cpu: 'processors', order: input}
                  - batch: 4
                """;

        assertThat(NUMBERS.in("plan.yaml", plan)).isEqualTo("""
                # ours
                compute-threads: 2
                name: train
                prefetch: 5   # batches
                source: {range: {to: 3}}
                steps:
                  - load: {}
                    name: read
                    io: 7  # 😀 waits
                    buffer: 9
                  - {decode: {cpu: 8}, buffer: 9, cpu: 3, order: input}
                  - batch: 4
                """);
    }

    @Test
    void whatIsNotThereIsWrittenInBlocksAndInJson() {
        PlanNumbers numbers =
                new PlanNumbers(Map.of("read", 7), Map.of("read", 9), OptionalInt.of(5), OptionalInt.empty());

        assertThat(numbers.in("plan.yaml", "source: {a: {}}\nsteps:\n- io: 2\n  read:\n"))
                .isEqualTo("""
                prefetch: 5
                source: {a: {}}
                steps:
                - buffer: 9
                  io: 7
                  read:
                """);
        assertThat(numbers.in("plan.json", "{\"source\":{\"a\":{}},\"steps\":[{\"read\":{},\"io\":\"auto\"}]}"))
                .isEqualTo(
                        "{\"prefetch\": 5, \"source\":{\"a\":{}},\"steps\":[{\"read\":{},\"buffer\": 9, \"io\":7}]}");
    }

    @Test
    void stagesInBranchesAndInMergedFlowsCountAndThoseOfOneNameDoNot() {
        String plan = """
                source:
                  merge:
                    of:
                      - {source: {a: {}}, steps: [{first: {}, cpu: 1}, {twice: {}, cpu: 1}]}
                steps:
                  - route:
                      by: {kind: {}}
                      when: {x: [{second: {}, io: 1}]}
                      otherwise: [{third: {}, cpu: 1}]
                  - {twice: {}, cpu: 1}
                  - {alone: {}, dedicated: true}
                """;

        assertThat(PlanNumbers.stages("plan.yaml", plan)).containsExactly("first", "second", "third");
        assertThat(PlanNumbers.prefetchOf("plan.yaml", plan)).isEqualTo(Plan.DEFAULT_PREFETCH);
    }

    @Test
    void anAliasIsNotWrittenOver() {
        String plan = "epochs: &n 3\nsource: {a: {}}\nsteps: [{read: {}, io: *n}]\n";

        assertThatThrownBy(() -> new PlanNumbers(Map.of("read", 7), Map.of(), OptionalInt.empty(), OptionalInt.empty())
                        .in("plan.yaml", plan))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by hand");
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(() -> NUMBERS.in("plan.yaml", "source: {a: {}}\nsteps: [{read: {}, io: 2}]\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not one step named 'decode' with 'cpu' or 'io', only [read]");
        assertThatThrownBy(() -> PlanNumbers.stages("plan.yaml", "- a")).hasMessageContaining("a plan must be a map");
    }
}
