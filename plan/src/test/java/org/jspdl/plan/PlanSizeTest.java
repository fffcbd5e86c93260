package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import org.jspdl.pipeline.MixEnd;
import org.jspdl.pipeline.Remainder;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Whole;
import org.junit.jupiter.api.Test;

/// What a compiled plan says of the items of an epoch, and what it is offered.
class PlanSizeTest {
    private static final TypeToken<Long> NUMBER = TypeToken.of(Long.class);

    private static final OperationProvider OPERATIONS = () -> List.of(
            Operation.function("same", NUMBER, NUMBER, given -> number -> number),
            Operation.function("offered", NUMBER, TypeToken.of(String.class), given -> {
                String word = given.offered(String.class).orElse("nothing");
                return number -> word;
            }),
            Operation.filter("even", NUMBER, given -> number -> number % 2 == 0),
            Operation.function("parity", NUMBER, NUMBER, given -> number -> number % 2));

    private static Flow range(long size, Step... steps) {
        return new Flow(new Flow.Start.From(new Call("range", Fields.of("size", new Whole(size)))), List.of(steps));
    }

    private static Step same() {
        return Step.Apply.fused(Call.of("same"));
    }

    private static Step batch(int size, Remainder remainder) {
        return new Step.Batch(size, remainder, Optional.empty());
    }

    private static CompiledPlan compile(Flow flow, PlanContext context) {
        Operations operations = Operations.of(List.of(new StandardOperations(), OPERATIONS));
        return new Plan("sizes", flow, 3, Running.once()).compile(operations, context);
    }

    private static OptionalLong size(Flow flow) {
        try (CompiledPlan compiled = compile(flow, PlanContext.in(Path.of("")))) {
            return compiled.size();
        }
    }

    @Test
    void theSizeFollowsFromTheSourceAndTheSteps() {
        assertThat(size(range(50))).hasValue(50);
        assertThat(size(range(50, same(), batch(4, Remainder.KEEP_REMAINDER)))).hasValue(13);
        assertThat(size(range(50, batch(4, Remainder.DROP_REMAINDER)))).hasValue(12);
    }

    @Test
    void itIsUnknownWhereItDependsOnTheItems() {
        assertThat(size(range(50, Step.Apply.fused(Call.of("even"))))).isEmpty();
        assertThat(size(range(50, batch(4, Remainder.KEEP_REMAINDER), new Step.Unbatch())))
                .isEmpty();
    }

    @Test
    void severalFlowsAddUpUnlessOneEndsTheEpoch() {
        List<Flow> flows = List.of(range(5, same()), range(7));
        assertThat(size(new Flow(new Flow.Start.Merge(flows), List.of()))).hasValue(12);
        assertThat(size(new Flow(new Flow.Start.RoundRobin(MixEnd.ALL_EXHAUSTED, flows), List.of())))
                .hasValue(12);
        assertThat(size(new Flow(new Flow.Start.RoundRobin(MixEnd.FIRST_EXHAUSTED, flows), List.of())))
                .isEmpty();
    }

    @Test
    void aRouteKeepsTheSizeIfEachWayDoes() {
        assertThat(size(range(10, route(same())))).hasValue(10);
        assertThat(size(range(10, route(Step.Apply.fused(Call.of("even")))))).isEmpty();
    }

    private static Step route(Step way) {
        SequencedMap<String, List<Step>> ways = new LinkedHashMap<>();
        ways.put("0", List.of(way));
        return new Step.Route(
                Call.of("parity"), Step.Route.Per.ITEM, Optional.empty(), ways, Optional.of(List.of(same())));
    }

    @Test
    void anOperationGetsWhatThePlaceOffers() {
        Flow flow = range(1, Step.Apply.fused(Call.of("offered")));
        PlanContext nowhere = PlanContext.in(Path.of(""));

        assertThat(firstOf(flow, nowhere.offer(String.class, "a word"))).isEqualTo("a word");
        assertThat(firstOf(flow, nowhere)).isEqualTo("nothing");
    }

    private static Object firstOf(Flow flow, PlanContext context) {
        try (CompiledPlan compiled = compile(flow, context);
                var run = compiled.start()) {
            return run.iterator().next();
        }
    }
}
