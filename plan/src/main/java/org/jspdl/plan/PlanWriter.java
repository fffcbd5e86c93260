package org.jspdl.plan;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.MixEnd;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.plan.Flow.Start;
import org.jspdl.plan.PlanNode.Decimal;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Items;
import org.jspdl.plan.PlanNode.Text;
import org.jspdl.plan.PlanNode.Whole;

/// Describes plans as documents, which leave out what is as by default.
final class PlanWriter {
    private final SequencedMap<String, PlanNode> fields = new LinkedHashMap<>();

    private PlanWriter() {}

    static PlanNode document(Plan plan) {
        PlanWriter document = new PlanWriter();
        document.fields.put(Words.NAME, new Text(plan.name()));
        document.flow(plan.flow());
        Running running = plan.running();
        Running defaults = Running.once();
        document.unless(plan.sink() == Plan.DEFAULT_SINK, Words.SINK, new Whole(plan.sink()));
        document.unless(running.epochs() == defaults.epochs(), Words.EPOCHS, new Whole(running.epochs()));
        document.unless(running.seed() == defaults.seed(), Words.SEED, new Whole(running.seed()));
        running.computeThreads().ifPresent(threads -> document.fields.put(Words.COMPUTE_THREADS, new Whole(threads)));
        document.unless(running.failure().equals(defaults.failure()), Words.FAILURE, rule(running.failure()));
        running.quarantine().ifPresent(file -> document.fields.put(Words.QUARANTINE, new Text(file)));
        running.memoryBudget().ifPresent(budget -> document.fields.put(Words.MEMORY_BUDGET, budget(budget)));
        return document.end();
    }

    private static PlanNode budget(ByteBudget budget) {
        PlanNode bytes = Kind.bytes().write().apply(budget.bytes());
        if (budget.itemEstimate() == 0) {
            return bytes;
        }
        PlanWriter writer = new PlanWriter();
        writer.fields.put("bytes", bytes);
        writer.fields.put("item", Kind.bytes().write().apply(budget.itemEstimate()));
        return writer.end();
    }

    private Fields end() {
        return new Fields(fields);
    }

    private void unless(boolean isDefault, String name, PlanNode node) {
        if (!isDefault) {
            fields.put(name, node);
        }
    }

    private void flow(Flow flow) {
        fields.put(Words.SOURCE, start(flow.start()));
        unless(flow.steps().isEmpty(), Words.STEPS, steps(flow.steps()));
    }

    private static PlanNode start(Start start) {
        return switch (start) {
            case Start.From(Call call) -> call(call);
            case Start.Merge(List<Flow> of) -> Fields.of(Words.MERGE, Fields.of("of", flows(of)));
            case Start.RoundRobin(MixEnd end, List<Flow> of) -> {
                PlanWriter writer = new PlanWriter();
                writer.joined(end, of);
                yield Fields.of(Words.ROUND_ROBIN, writer.end());
            }
            case Start.Mix(long seed, List<Double> weights, MixEnd end, List<Flow> of) -> {
                PlanWriter writer = new PlanWriter();
                writer.unless(seed == 0, Words.SEED, new Whole(seed));
                writer.fields.put(
                        "weights",
                        new Items(weights.stream().<PlanNode>map(Decimal::new).toList()));
                writer.joined(end, of);
                yield Fields.of(Words.MIX, writer.end());
            }
        };
    }

    private void joined(MixEnd end, List<Flow> of) {
        unless(
                end == MixEnd.ALL_EXHAUSTED,
                "end",
                Kind.choice(MixEnd.class).write().apply(end));
        fields.put("of", flows(of));
    }

    private static PlanNode flows(List<Flow> flows) {
        return new Items(flows.stream()
                .<PlanNode>map(flow -> {
                    PlanWriter writer = new PlanWriter();
                    writer.flow(flow);
                    return writer.end();
                })
                .toList());
    }

    private static PlanNode call(Call call) {
        return call.parameters().fields().isEmpty()
                ? new Text(call.operation())
                : Fields.of(call.operation(), call.parameters());
    }

    private static PlanNode steps(List<Step> steps) {
        return new Items(steps.stream().map(PlanWriter::step).toList());
    }

    private static PlanNode step(Step step) {
        return switch (step) {
            case Step.Apply apply when apply.name().isEmpty() && apply.stage().isEmpty() -> call(apply.call());
            case Step.Apply apply -> {
                PlanWriter writer = new PlanWriter();
                writer.fields.put(apply.call().operation(), apply.call().parameters());
                writer.name(apply.name());
                apply.stage().ifPresent(writer::stage);
                yield writer.end();
            }
            case Step.Batch batch -> Fields.of(Words.BATCH, batch(batch));
            case Step.Unbatch _ -> new Text(Words.UNBATCH);
            case Step.Route route -> {
                PlanWriter writer = new PlanWriter();
                writer.fields.put(
                        route.per() == Step.Route.Per.ITEM ? Words.ROUTE : Words.ROUTE_ELEMENTS, route(route));
                writer.name(route.name());
                yield writer.end();
            }
        };
    }

    private void name(Optional<String> name) {
        name.ifPresent(text -> fields.put(Words.NAME, new Text(text)));
    }

    private void stage(Stage stage) {
        fields.put(StageReader.word(stage.where()), StageReader.concurrency(stage));
        unless(
                stage.order() == Order.COMPLETION,
                Words.ORDER,
                Kind.choice(Order.class).write().apply(stage.order()));
        unless(stage.buffer() == StageOptions.DEFAULT_BUFFER, Words.BUFFER, new Whole(stage.buffer()));
        stage.failure().ifPresent(rule -> fields.put(Words.FAILURE, rule(rule)));
        time(Words.DEADLINE, stage.deadline());
    }

    private void time(String name, Optional<Duration> time) {
        time.ifPresent(duration -> fields.put(name, Kind.duration().write().apply(duration)));
    }

    private static PlanNode batch(Step.Batch batch) {
        if (batch.remainder() == Remainder.KEEP_REMAINDER && batch.flushAfter().isEmpty()) {
            return new Whole(batch.size());
        }
        PlanWriter writer = new PlanWriter();
        writer.fields.put("size", new Whole(batch.size()));
        writer.unless(
                batch.remainder() == Remainder.KEEP_REMAINDER,
                "remainder",
                StepReader.REMAINDER.write().apply(batch.remainder()));
        writer.time("flush-after", batch.flushAfter());
        return writer.end();
    }

    private static PlanNode route(Step.Route route) {
        PlanWriter writer = new PlanWriter();
        writer.fields.put("by", call(route.by()));
        SequencedMap<String, PlanNode> ways = new LinkedHashMap<>();
        route.ways().forEach((key, steps) -> ways.put(key, steps(steps)));
        writer.fields.put("when", new Fields(ways));
        route.otherwise().ifPresent(steps -> writer.fields.put("otherwise", steps(steps)));
        return writer.end();
    }

    private static PlanNode rule(FailureRule rule) {
        PlanWriter writer = new PlanWriter();
        switch (rule.base()) {
            case FailurePolicy.SkipCount(long limit) -> writer.fields.put("skip", new Whole(limit));
            case FailurePolicy.SkipRate(double rate, long probation) -> {
                writer.fields.put("skip-rate", new Decimal(rate));
                writer.unless(probation == FailurePolicy.DEFAULT_PROBATION, "probation", new Whole(probation));
            }
            case FailurePolicy.FailFast _, FailurePolicy.Retry _, FailurePolicy.Quarantine _ -> {
                if (rule.attempts() == 1) {
                    return new Text("fail-fast");
                }
            }
        }
        writer.unless(rule.attempts() == 1, "retry", new Whole(rule.attempts()));
        writer.time("backoff", Optional.of(rule.backoff()).filter(Duration::isPositive));
        return writer.end();
    }
}
