package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Whole;
import org.junit.jupiter.api.Test;

/// Plans that a program builds.
class PlanTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);

    private static final OperationProvider DOUBLING =
            () -> List.of(Operation.function("double", NUMBER, NUMBER, given -> number -> number * 2));

    private static Plan plan(Step... steps) {
        Call range = new Call("range", Fields.of("size", new Whole(5)));
        return new Plan("numbers", new Flow(new Flow.Start.From(range), List.of(steps)), 3, Running.once());
    }

    private static Operations operations() {
        return Operations.of(List.of(new StandardOperations(), DOUBLING));
    }

    @Test
    void aPlanBuiltInAProgramRunsAndIsItsOwnDocument() {
        Plan plan = plan(
                Step.Apply.of(Call.of("double"), Stage.of(Stage.Where.CPU, 2).inputOrder()),
                new Step.Batch(3, Remainder.KEEP_REMAINDER, Optional.empty()));

        try (CompiledPlan compiled = plan.compile(operations(), PlanContext.in(Path.of("")));
                Run<?> run = compiled.start()) {
            assertThat(run)
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.ITERABLE)
                    .containsExactly(List.of(0L, 2L, 4L), List.of(6L, 8L));
            assertThat(compiled.output()).hasToString("List<Long>");
            assertThat(compiled.sourceSize()).hasValue(5);
        }
        assertThat(Plan.of(plan.document())).isEqualTo(plan);
        assertThat(plan.check(operations())).isEmpty();
    }

    @Test
    void problemsNameThePathToThem() {
        Plan plan = plan(
                new Step.Unbatch(),
                Step.Apply.fused(new Call("double", Fields.of("by", new Whole(3)))),
                new Step.Unbatch());

        assertThatThrownBy(() -> plan.compile(operations(), PlanContext.in(Path.of(""))))
                .isInstanceOf(PlanException.class)
                .hasMessage(String.join(
                        System.lineSeparator(),
                        "steps[0].unbatch: 'unbatch' takes an Iterable but gets Long from 'range'",
                        "steps[1].double.by: 'double' has no parameter 'by'; it has none",
                        "steps[2].unbatch: 'unbatch' takes an Iterable but gets Long from 'double'"));
    }

    @Test
    void theInstalledOperationsAreThoseOfTheServiceLoader() {
        assertThat(Operations.installed().all()).extracting(Operation::name).contains("range", "values", "lines");
    }

    @Test
    void twoOperationsOfOneNameAreRefused() {
        assertThatThrownBy(() -> Operations.of(List.of(DOUBLING, DOUBLING)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("there are two operations called 'double': double: Long -> Long, and");
    }

    @Test
    void anOperationMayNotTakeAWordOfTheLanguage() {
        assertThatThrownBy(() -> Operation.filter("batch", NUMBER, given -> number -> true))
                .hasMessage("an operation cannot be called 'batch'");
    }

    @Test
    void whatNoPlanCanSayCannotBeBuilt() {
        assertThatThrownBy(() -> new Step.Batch(0, Remainder.KEEP_REMAINDER, Optional.empty()))
                .hasMessage("the size of a batch must be from 1 to 1000000 but was 0");
        assertThatThrownBy(() -> Stage.of(Stage.Where.DEDICATED, 2))
                .hasMessage("concurrency must be from 1 to 1 but was 2");
        assertThatThrownBy(() -> new FailureRule(FailurePolicy.skip(1).quarantine(item -> {}), 1, Duration.ZERO))
                .hasMessageStartingWith("a plan's failure rule must not modify another");
        assertThatThrownBy(() -> new Step.Route(
                        Call.of("double"),
                        Step.Route.Per.ITEM,
                        Optional.empty(),
                        new LinkedHashMap<>(),
                        Optional.empty()))
                .hasMessage("a route needs at least one way");
    }
}
