package org.jspdl.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.plan.Building.Extend;
import org.jspdl.plan.Flow.Start;

/// Checks a plan against operations, and prepares its pipeline on the way; nothing is opened before all is checked.
///
/// An item type that is unknown after a problem is compared with nothing, so that one mistake is one problem. Used
/// once, by one thread.
final class Checker {
    private final Calls calls;
    private final List<Problem> problems;
    private final Set<PlanPath> unread;

    /// @param problems what the reader found; more are added
    Checker(Operations operations, List<Problem> problems) {
        this.calls = new Calls(operations, problems);
        this.problems = problems;
        this.unread = problems.stream().map(Problem::path).collect(Collectors.toUnmodifiableSet());
    }

    /// A checked plan. If there were problems, `builder` must not be used.
    record Checked(TypeToken<?> output, Building.Begin builder) {}

    /// What comes out of a part of a plan.
    ///
    /// @param type empty if a problem hides it
    /// @param from the word for it in messages
    private record Typed(Optional<TypeToken<?>> type, String from) {
        static Typed unknown() {
            return new Typed(Optional.empty(), "");
        }
    }

    private record Begun(Typed typed, Building.Begin begin) {}

    private record Chain(Typed typed, Extend extend) {
        static Chain empty(Typed typed) {
            return new Chain(typed, (building, before) -> before);
        }

        static Chain broken() {
            return empty(Typed.unknown());
        }
    }

    Checked plan(Plan plan) {
        Begun begun = flow(PlanPath.ROOT, plan.flow());
        return new Checked(begun.typed.type.orElse(TypeToken.of(Object.class)), begun.begin);
    }

    private Begun flow(PlanPath path, Flow flow) {
        Begun start = start(path.field(Words.SOURCE), flow.start());
        Chain chain = steps(path.field(Words.STEPS), flow.steps(), start.typed);
        return new Begun(chain.typed, building -> chain.extend.build(building, start.begin.build(building)));
    }

    private Begun start(PlanPath path, Start start) {
        return switch (start) {
            case Start.From(Call call) -> from(path, call);
            case Start.Merge(List<Flow> of) ->
                several(path.field(Words.MERGE), Words.MERGE, of, all -> Pipeline.merge(all));
            case Start.RoundRobin(var end, List<Flow> of) ->
                several(path.field(Words.ROUND_ROBIN), Words.ROUND_ROBIN, of, all -> Pipeline.roundRobin(end, all));
            case Start.Mix(long seed, List<Double> weights, var end, List<Flow> of) ->
                several(
                        path.field(Words.MIX),
                        Words.MIX,
                        of,
                        all -> Pipeline.mix(
                                        seed,
                                        weights.stream()
                                                .mapToDouble(Double::doubleValue)
                                                .toArray())
                                .of(end, all));
        };
    }

    private Begun from(PlanPath path, Call call) {
        PlanPath at = path.field(call.operation());
        Optional<Calls.Use> use =
                unread.contains(path) || unread.contains(PlanPath.ROOT) ? Optional.empty() : calls.find(at, call);
        if (use.isEmpty()) {
            return new Begun(Typed.unknown(), _ -> Pipeline.from(List.of()));
        }
        if (!(use.get().operation().body() instanceof Operation.Body.OfSource(var maker))) {
            problems.add(Problem.name(at, "'" + call.operation() + "' is a step and cannot be the source"));
            return new Begun(Typed.unknown(), _ -> Pipeline.from(List.of()));
        }
        Map<Parameter<?>, Object> values = use.get().values();
        return new Begun(
                new Typed(use.get().operation().output(), call.operation()),
                building -> building.begin(at, maker, values));
    }

    /// Joins pipelines to one.
    private interface Joining {
        Pipeline<Object> join(Pipeline<Object>[] all);
    }

    private Begun several(PlanPath path, String word, List<Flow> flows, Joining joining) {
        List<Begun> parts = new ArrayList<>();
        List<Typed> types = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            Begun part = flow(path.field("of").item(i), flows.get(i));
            parts.add(part);
            types.add(new Typed(part.typed.type, "number " + (i + 1)));
        }
        Optional<TypeToken<?>> type = common(path, "the parts of '" + word + "'", types);
        return new Begun(
                new Typed(type, word),
                building -> joining.join(Stages.array(
                        parts.stream().map(part -> part.begin.build(building)).toList())));
    }

    /// The type that all of `parts` have.
    private Optional<TypeToken<?>> common(PlanPath path, String what, List<Typed> parts) {
        List<Typed> known = parts.stream().filter(part -> part.type.isPresent()).toList();
        Optional<TypeToken<?>> found = known.stream()
                .<TypeToken<?>>map(part -> part.type.orElseThrow())
                .filter(type -> known.stream().allMatch(part -> type.accepts(part.type.orElseThrow())))
                .findFirst();
        if (found.isEmpty() && !known.isEmpty()) {
            problems.add(Problem.name(
                    path,
                    what + " yield different types: "
                            + known.stream()
                                    .map(part -> part.type.orElseThrow() + " from " + part.from)
                                    .collect(Collectors.joining(", "))));
        }
        return known.size() == parts.size() ? found : Optional.empty();
    }

    private Chain steps(PlanPath path, List<Step> steps, Typed start) {
        Chain chain = Chain.empty(start);
        for (int i = 0; i < steps.size(); i++) {
            Chain next = step(path.item(i), steps.get(i), chain.typed);
            chain = new Chain(next.typed, chain.extend.then(next.extend));
        }
        return chain;
    }

    private Chain step(PlanPath path, Step step, Typed before) {
        if (unread.contains(path)) {
            return Chain.broken();
        }
        return switch (step) {
            case Step.Apply apply -> apply(path, apply, before);
            case Step.Batch batch ->
                new Chain(
                        new Typed(before.type.map(TypeToken::listOf), Words.BATCH),
                        (_, pipeline) -> Stages.batched(pipeline, batch));
            case Step.Unbatch() -> unbatch(path, before);
            case Step.Route route -> route(path, route, before);
        };
    }

    private Chain unbatch(PlanPath path, Typed before) {
        Optional<TypeToken<?>> element = before.type.flatMap(TypeToken::element);
        if (before.type.isPresent() && element.isEmpty()) {
            problems.add(mismatch(path.field(Words.UNBATCH), Words.UNBATCH, "an Iterable", before));
        }
        return new Chain(
                new Typed(element, Words.UNBATCH), (_, pipeline) -> pipeline.unbatch(item -> (Iterable<?>) item));
    }

    private Chain apply(PlanPath path, Step.Apply apply, Typed before) {
        String name = apply.call().operation();
        PlanPath at = path.field(name);
        Optional<Calls.Use> found = calls.find(at, apply.call());
        if (found.isEmpty()) {
            return Chain.broken();
        }
        Calls.Use use = found.get();
        if (use.operation().input().isEmpty()) {
            problems.add(Problem.name(at, "'" + name + "' is a source and cannot be a step"));
            return Chain.broken();
        }
        checkInput(at, use.operation(), before);
        checkStage(path, apply, use.operation().body());
        Optional<TypeToken<?>> output =
                use.operation().output().isPresent() ? use.operation().output() : before.type;
        String stage = apply.name().orElse(name);
        return new Chain(
                new Typed(output, name),
                (building, pipeline) -> Stages.add(pipeline, stage, use, apply.stage(), at, building));
    }

    private void checkInput(PlanPath at, Operation operation, Typed before) {
        TypeToken<?> wanted = operation.input().orElseThrow();
        if (before.type.isPresent() && !wanted.accepts(before.type.get())) {
            problems.add(mismatch(at, operation.name(), wanted.toString(), before));
        }
    }

    private static Problem mismatch(PlanPath at, String taker, String wanted, Typed before) {
        return Problem.name(
                at,
                "'" + taker + "' takes " + wanted + " but gets " + before.type.orElseThrow() + " from '" + before.from
                        + "'");
    }

    private void checkStage(PlanPath path, Step.Apply apply, Operation.Body body) {
        String name = apply.call().operation();
        String own = "'" + name + "' needs a stage of its own: add 'cpu', 'io' or 'dedicated'";
        switch (body) {
            case Operation.Body.OfSeeded _, Operation.Body.OfAsync _, Operation.Body.OfFlatMap _ -> {
                if (apply.stage().isEmpty()) {
                    problems.add(Problem.name(path.field(name), own));
                }
            }
            case Operation.Body.OfFilter _ -> noStage(path, apply, "is run by the step before it");
            case Operation.Body.OfGatherer _ -> noStage(path, apply, "has a thread of its own");
            case Operation.Body.OfFunction _, Operation.Body.OfSource _ -> {}
        }
        boolean nameless = body instanceof Operation.Body.OfFilter || body instanceof Operation.Body.OfFunction;
        if (nameless && apply.stage().isEmpty() && apply.name().isPresent()) {
            problems.add(Problem.name(
                    path.field(Words.NAME),
                    "'" + name + "' is run by the step before it, so it has no name of its own"));
        }
    }

    private void noStage(PlanPath path, Step.Apply apply, String reason) {
        apply.stage().ifPresent(stage -> {
            String word = stage.where().name().toLowerCase(Locale.ROOT);
            problems.add(Problem.name(
                    path.field(word), "'" + apply.call().operation() + "' " + reason + "; remove '" + word + "'"));
        });
    }

    private Chain route(PlanPath path, Step.Route route, Typed before) {
        boolean elements = route.per() == Step.Route.Per.ELEMENT;
        String word = elements ? Words.ROUTE_ELEMENTS : Words.ROUTE;
        PlanPath at = path.field(word);
        Typed entering = before;
        if (elements) {
            Optional<TypeToken<?>> element = before.type.flatMap(TypeToken::listElement);
            if (before.type.isPresent() && element.isEmpty()) {
                problems.add(mismatch(at, word, "a List", before));
            }
            entering = new Typed(element, before.from);
            OneToOne.check(at, route, calls);
        }
        Optional<Calls.Use> key = key(at.field("by"), route.by(), entering);
        List<Typed> types = new ArrayList<>();
        List<Ways.Way> ways = new ArrayList<>();
        for (Map.Entry<String, List<Step>> way : route.ways().entrySet()) {
            Chain chain = steps(at.field("when").field(way.getKey()), way.getValue(), entering);
            types.add(new Typed(chain.typed.type, "'" + way.getKey() + "'"));
            ways.add(new Ways.Way(Optional.of(way.getKey()), chain.extend));
        }
        if (route.otherwise().isPresent()) {
            Chain chain = steps(at.field("otherwise"), route.otherwise().get(), entering);
            types.add(new Typed(chain.typed.type, "'otherwise'"));
            ways.add(new Ways.Way(Optional.empty(), chain.extend));
        }
        Optional<TypeToken<?>> type = common(at, "the ways of '" + word + "'", types);
        if (key.isEmpty()) {
            return Chain.broken();
        }
        String name = route.name().orElse(route.by().operation());
        Ways built = new Ways(name, at.field("by").field(route.by().operation()), key.get(), ways);
        return elements
                ? new Chain(new Typed(type.map(TypeToken::listOf), word), built::ofElements)
                : new Chain(new Typed(type, word), built::ofItems);
    }

    private Optional<Calls.Use> key(PlanPath by, Call call, Typed entering) {
        if (unread.contains(by)) {
            return Optional.empty();
        }
        PlanPath at = by.field(call.operation());
        Optional<Calls.Use> use = calls.find(at, call);
        if (use.isPresent() && !(use.get().operation().body() instanceof Operation.Body.OfFunction)) {
            problems.add(
                    Problem.name(at, "a route needs a function for its keys, and '" + call.operation() + "' is none"));
            return Optional.empty();
        }
        use.ifPresent(found -> checkInput(at, found.operation(), entering));
        return use;
    }
}
