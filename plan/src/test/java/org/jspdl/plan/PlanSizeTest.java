package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// What a compiled plan says of the items of an epoch, and what its operations are offered.
class PlanSizeTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);
    private static final PlanContext HERE = PlanContext.in(Path.of(""));

    private static final OperationProvider OPERATIONS = () -> List.of(
            Operation.function("same", NUMBER, NUMBER, given -> number -> number),
            Operation.function("offered", NUMBER, TypeToken.of(String.class), given -> {
                String word = given.offered(String.class).orElse("nothing");
                return number -> word;
            }),
            Operation.filter("even", NUMBER, given -> number -> number % 2 == 0),
            Operation.function("parity", NUMBER, NUMBER, given -> number -> number % 2));

    private static CompiledPlan compile(String plan, PlanContext context) {
        return Plan.of("plan.yaml", plan)
                .compile(Operations.of(List.of(new StandardOperations(), OPERATIONS)), context);
    }

    private static OptionalLong size(String plan) {
        try (CompiledPlan compiled = compile(plan, HERE)) {
            return compiled.size();
        }
    }

    private static OptionalLong sizeWith(String steps) {
        return size("{source: {range: {size: 50}}, steps: [" + steps + "]}");
    }

    @Test
    void theSizeFollowsFromTheSourceAndTheSteps() {
        assertThat(sizeWith("")).hasValue(50);
        assertThat(sizeWith("same, {batch: 4}")).hasValue(13);
        assertThat(sizeWith("{batch: {batch-size: 4, drop-last: true}}")).hasValue(12);
        assertThat(sizeWith("{batch: {batch-size: 4, drop-last: false}}")).hasValue(13);
    }

    @Test
    void itIsUnknownWhereItDependsOnTheItems() {
        assertThat(sizeWith("even")).isEmpty();
        assertThat(sizeWith("{batch: 4}, unbatch")).isEmpty();
        assertThat(sizeWith("{batch: {batch-size: 4, flush-after: 1s}}")).isEmpty();
    }

    @Test
    void severalFlowsAddUpUnlessOneEndsTheEpoch() {
        String flows = "of: [{source: {range: {size: 5}}, steps: [same]}, {source: {range: {size: 7}}}]";

        assertThat(size("source: {merge: {" + flows + "}}")).hasValue(12);
        assertThat(size("source: {round-robin: {" + flows + "}}")).hasValue(12);
        assertThat(size("source: {round-robin: {stopping-strategy: first-exhausted, " + flows + "}}"))
                .isEmpty();
    }

    @Test
    void aRouteKeepsTheSizeIfEachBranchDoes() {
        assertThat(sizeWith("{route: {by: parity, when: {'0': [same]}, otherwise: [same]}}"))
                .hasValue(50);
        assertThat(sizeWith("{route: {by: parity, when: {'0': [even]}, otherwise: [same]}}"))
                .isEmpty();
        assertThat(sizeWith("{route: {by: parity, when: {'0': [same]}, otherwise: [even]}}"))
                .isEmpty();
    }

    @Test
    void anOperationGetsWhatItsProcessOffers() {
        assertThat(firstOf(HERE.offer(String.class, "a word"))).isEqualTo("a word");
        assertThat(firstOf(HERE)).isEqualTo("nothing");
    }

    private static Object firstOf(PlanContext context) {
        try (CompiledPlan compiled = compile("source: {range: {size: 1}}\nsteps: [offered]", context);
                var run = compiled.start()) {
            return run.iterator().next();
        }
    }
}
