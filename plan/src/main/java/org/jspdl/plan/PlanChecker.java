package org.jspdl.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.plan.Flow.Start;
import org.jspdl.plan.PipelineBuilder.Extend;
import org.jspdl.plan.internal.PlanError;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.plan.internal.SourceLocation;

/// Checks a plan against operations, and prepares its pipeline on the way; nothing is opened before all is checked.
///
/// An item type that is unknown after an error is compared with nothing, so that one mistake is one error. Used
/// once, by one thread.
final class PlanChecker {
    private final CallResolver calls;
    private final List<PlanError> errors;

    /// @param errors what the reader found; more are added
    PlanChecker(CallResolver calls, List<PlanError> errors) {
        this.calls = calls;
        this.errors = errors;
    }

    private void error(SourceLocation location, String message) {
        errors.add(new PlanError(location, message));
    }

    /// A checked plan. If there were errors, `builder` must not be used.
    record Checked(TypeToken<?> output, PipelineBuilder.Begin builder) {}

    /// What comes out of a part of a plan.
    ///
    /// @param type empty if an error hides it
    /// @param from the word for it in messages
    private record Typed(Optional<TypeToken<?>> type, String from) {
        static Typed unknown() {
            return new Typed(Optional.empty(), "");
        }
    }

    private record Begun(Typed typed, PipelineBuilder.Begin begin) {
        static Begun unknown() {
            return new Begun(Typed.unknown(), _ -> Pipeline.from(List.of()));
        }
    }

    private record Chain(Typed typed, Extend extend) {
        static Chain empty(Typed typed) {
            return new Chain(typed, (builder, before) -> before);
        }

        static Chain broken() {
            return empty(Typed.unknown());
        }
    }

    Checked plan(PlanModel plan) {
        Begun begun = flow(plan.flow());
        return new Checked(begun.typed.type.orElse(TypeToken.of(Object.class)), begun.begin);
    }

    private Begun flow(Flow flow) {
        Begun start = start(flow.start());
        Chain chain = steps(flow.steps(), start.typed);
        return new Begun(chain.typed, builder -> chain.extend.build(builder, start.begin.build(builder)));
    }

    private Begun start(Start start) {
        return switch (start) {
            case Start.Unread _ -> Begun.unknown();
            case Start.From(OperationCall call) -> from(call);
            case Start.Merge merge
            when merge.by().isPresent() -> chosen(merge, merge.by().get());
            case Start.Merge merge ->
                several(merge.location(), PlanKeywords.MERGE, merge.of(), (_, all) -> Pipeline.merge(all));
            case Start.RoundRobin(SourceLocation location, var end, List<Flow> of) ->
                several(location, PlanKeywords.ROUND_ROBIN, of, (_, all) -> Pipeline.roundRobin(end, all));
            case Start.Mix mix ->
                several(
                        mix.location(),
                        PlanKeywords.MIX,
                        mix.of(),
                        (builder, all) -> mix.changes()
                                .map(file -> mix.weights().live(builder.resolved(file)))
                                .orElse(mix.weights())
                                .of(mix.end(), all));
        };
    }

    private Begun from(OperationCall call) {
        Optional<CallResolver.Use> use = calls.find(call);
        if (use.isEmpty()) {
            return Begun.unknown();
        }
        if (!(use.get().operation().body() instanceof Operation.Body.OfSource(var maker))) {
            error(call.location(), "'" + call.operation() + "' is a step and cannot be the source");
            return Begun.unknown();
        }
        return new Begun(
                new Typed(use.get().operation().output(), call.operation()),
                builder -> builder.begin(use.get(), maker));
    }

    /// A merge in the order that an operation chooses.
    private Begun chosen(Start.Merge merge, OperationCall call) {
        Optional<CallResolver.Use> use = calls.find(call);
        if (use.isEmpty()) {
            return Begun.unknown();
        }
        if (!(use.get().operation().body() instanceof Operation.Body.OfMergePolicy(var maker))) {
            error(call.location(), "'" + call.operation() + "' is not the policy of a merge");
            return Begun.unknown();
        }
        Begun merged = several(
                merge.location(),
                PlanKeywords.MERGE,
                merge.of(),
                (builder, all) -> use.get()
                        .identified(ErasedPipelines.merged(call.operation(), builder.make(use.get(), maker), all)));
        checkInput(use.get(), merged.typed);
        return merged;
    }

    /// Joins pipelines to one.
    private interface Joining {
        Pipeline<Object> join(PipelineBuilder builder, Pipeline<Object>[] all);
    }

    private Begun several(SourceLocation location, String word, List<Flow> flows, Joining joining) {
        List<Begun> parts = new ArrayList<>();
        List<Typed> types = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            Begun part = flow(flows.get(i));
            parts.add(part);
            types.add(new Typed(part.typed.type, "number " + (i + 1)));
        }
        Optional<TypeToken<?>> type = common(location, "the parts of '" + word + "'", types);
        return new Begun(
                new Typed(type, word),
                builder -> joining.join(
                        builder,
                        ErasedPipelines.array(parts.stream()
                                .map(part -> part.begin.build(builder))
                                .toList())));
    }

    /// The type that all of `parts` have.
    private Optional<TypeToken<?>> common(SourceLocation location, String what, List<Typed> parts) {
        List<Typed> known = parts.stream().filter(part -> part.type.isPresent()).toList();
        Optional<TypeToken<?>> found = known.stream()
                .<TypeToken<?>>map(part -> part.type.orElseThrow())
                .filter(type -> known.stream().allMatch(part -> type.accepts(part.type.orElseThrow())))
                .findFirst();
        if (found.isEmpty() && !known.isEmpty()) {
            error(
                    location,
                    what + " yield different types: "
                            + known.stream()
                                    .map(part -> part.type.orElseThrow() + " from " + part.from)
                                    .collect(Collectors.joining(", ")));
        }
        return known.size() == parts.size() ? found : Optional.empty();
    }

    private Chain steps(List<PlanStep> steps, Typed start) {
        Chain chain = Chain.empty(start);
        for (PlanStep step : steps) {
            Chain next = step(step, chain.typed);
            chain = new Chain(next.typed, chain.extend.then(next.extend));
        }
        return chain;
    }

    private Chain step(PlanStep step, Typed before) {
        return switch (step) {
            case PlanStep.Unread _ -> Chain.broken();
            case PlanStep.Apply apply -> apply(apply, before);
            case PlanStep.Batch batch ->
                new Chain(
                        new Typed(before.type.map(TypeToken::listOf), PlanKeywords.BATCH),
                        (_, pipeline) -> ErasedPipelines.batched(pipeline, batch));
            case PlanStep.Unbatch(SourceLocation location) -> unbatch(location, before);
            case PlanStep.Route route -> route(route, before);
        };
    }

    private Chain unbatch(SourceLocation location, Typed before) {
        Optional<TypeToken<?>> element = before.type.flatMap(TypeToken::element);
        if (before.type.isPresent() && element.isEmpty()) {
            mismatch(location, PlanKeywords.UNBATCH, "an Iterable", before);
        }
        return new Chain(
                new Typed(element, PlanKeywords.UNBATCH),
                (_, pipeline) -> pipeline.unbatch(item -> (Iterable<?>) item));
    }

    private Chain apply(PlanStep.Apply apply, Typed before) {
        OperationCall call = apply.call();
        Optional<CallResolver.Use> found = calls.find(call);
        if (found.isEmpty()) {
            return Chain.broken();
        }
        CallResolver.Use use = found.get();
        if (use.operation().input().isEmpty()) {
            error(call.location(), "'" + call.operation() + "' is a source and cannot be a step");
            return Chain.broken();
        }
        if (use.operation().body() instanceof Operation.Body.OfMergePolicy) {
            error(call.location(), "'" + call.operation() + "' is the policy of a merge and cannot be a step");
            return Chain.broken();
        }
        checkInput(use, before);
        new StageCheck(errors).check(apply, use.operation().body());
        Optional<TypeToken<?>> output =
                use.operation().output().isPresent() ? use.operation().output() : before.type;
        return new Chain(
                new Typed(output, call.operation()),
                (builder, pipeline) ->
                        use.identified(ErasedPipelines.add(pipeline, apply.stageName(), use, apply.stage(), builder)));
    }

    private void checkInput(CallResolver.Use use, Typed before) {
        TypeToken<?> wanted = use.operation().input().orElseThrow();
        if (before.type.isPresent() && !wanted.accepts(before.type.get())) {
            mismatch(use.call().location(), use.operation().name(), wanted.toString(), before);
        }
    }

    private void mismatch(SourceLocation location, String taker, String wanted, Typed before) {
        error(
                location,
                "'" + taker + "' takes " + wanted + " but gets " + before.type.orElseThrow() + " from '" + before.from
                        + "'");
    }

    private Chain route(PlanStep.Route route, Typed before) {
        boolean elements = route.per() == PlanStep.Route.Per.ELEMENT;
        Typed entering = before;
        if (elements) {
            Optional<TypeToken<?>> element = before.type.flatMap(TypeToken::listElement);
            if (before.type.isPresent() && element.isEmpty()) {
                mismatch(route.location(), route.keyword(), "a List", before);
            }
            entering = new Typed(element, before.from);
            new OneToOneCheck(calls.operations(), errors).check(route);
        }
        Optional<CallResolver.Use> key = key(route, entering);
        List<Typed> types = new ArrayList<>();
        List<RouteBranches.Branch> branches = new ArrayList<>();
        for (PlanStep.Route.Branch branch : route.branches()) {
            Chain chain = steps(branch.steps(), entering);
            types.add(new Typed(chain.typed.type, branch.described()));
            branches.add(new RouteBranches.Branch(branch.key(), chain.extend));
        }
        Optional<TypeToken<?>> type = common(route.location(), "the branches of '" + route.keyword() + "'", types);
        if (key.isEmpty()) {
            return Chain.broken();
        }
        String name = route.name().orElse(key.get().operation().name());
        RouteBranches built = new RouteBranches(name, key.get(), route.stage(), branches);
        return elements
                ? new Chain(
                        new Typed(type.map(TypeToken::listOf), route.keyword()), keyed(key.get(), built::ofElements))
                : new Chain(new Typed(type, route.keyword()), keyed(key.get(), built::ofItems));
    }

    private static Extend keyed(CallResolver.Use key, Extend route) {
        return (builder, before) -> route.build(builder, key.identified(before));
    }

    private Optional<CallResolver.Use> key(PlanStep.Route route, Typed entering) {
        Optional<CallResolver.Use> use = route.by().flatMap(calls::find);
        if (use.isPresent()) {
            Optional<String> wrong = wrongKey(route, use.get().operation());
            wrong.ifPresent(reason -> error(use.get().call().location(), reason));
            if (wrong.isPresent()) {
                return Optional.empty();
            }
        }
        use.ifPresent(found -> checkInput(found, entering));
        return use;
    }
    /// Why an operation can't give the keys of a route; empty if it can.
    private static Optional<String> wrongKey(PlanStep.Route route, Operation operation) {
        String name = "'" + operation.name() + "'";
        return switch (operation.body()) {
            case Operation.Body.OfFunction _ ->
                route.stage().map(stage -> name + " gives its keys at once; remove 'async'");
            case Operation.Body.OfAsync _
            when route.per() == PlanStep.Route.Per.ELEMENT ->
                Optional.of(name + " gives its keys later, which only the items of a 'route' can wait for");
            case Operation.Body.OfAsync _
            when route.stage().isEmpty() -> Optional.of(name + " gives its keys later; add 'async' beside 'route'");
            case Operation.Body.OfAsync _ -> Optional.empty();
            default -> Optional.of("a route needs a function for its keys, and " + name + " is none");
        };
    }
}
