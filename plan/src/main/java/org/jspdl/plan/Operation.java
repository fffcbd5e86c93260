package org.jspdl.plan;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Gatherer;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.SeededFunction;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.source.Source;

/// Something that a plan can name: a source, or what a step does. Immutable.
///
/// It has typed parameters, and says what it takes and what it yields, so that a plan is checked before it runs. Its
/// maker is called once for each place in a plan where it stands, before the first item is read; functions that it
/// makes follow the rules of the pipeline's own.
///
/// ```java
/// Parameter<Integer> width = Parameter.count("width", 1, 4096).orElse(224);
/// Operation.function("scale", TypeToken.of(Image.class), TypeToken.of(Image.class),
///         given -> scaler(given.get(width)), width);
/// ```
public final class Operation {
    private final String name;
    private final Optional<TypeToken<?>> input;
    private final Optional<TypeToken<?>> output;
    private final List<Parameter<?>> parameters;
    private final Body body;

    private Operation(
            String name,
            Optional<TypeToken<?>> input,
            Optional<TypeToken<?>> output,
            Body body,
            Parameter<?>... parameters) {
        if (name.isBlank() || PlanKeywords.RESERVED.contains(name)) {
            throw new IllegalArgumentException("an operation cannot be called '" + name + "'");
        }
        this.name = name;
        this.input = input;
        this.output = output;
        this.body = body;
        this.parameters = List.of(parameters);
    }

    /// A source of `output`.
    public static <T> Operation source(
            String name, TypeToken<T> output, Maker<? extends Source<? extends T>> maker, Parameter<?>... parameters) {
        return new Operation(name, Optional.empty(), Optional.of(output), new Body.OfSource(maker), parameters);
    }

    /// A step that makes one item of each; in a stage of its own, or run by the step before it.
    public static <T, R> Operation function(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends StageFunction<? super T, ? extends R>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.of(output), new Body.OfFunction(maker), parameters);
    }

    /// As [#function], with randomness that belongs to the item; always in a stage of its own.
    public static <T, R> Operation seeded(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends SeededFunction<? super T, ? extends R>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.of(output), new Body.OfSeeded(maker), parameters);
    }

    /// A step whose result comes later, on the threads of its client. A plan sets the limit of pending calls:
    /// `async: N`.
    public static <T, R> Operation async(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends StageFunction<? super T, ? extends CompletionStage<? extends R>>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.of(output), new Body.OfAsync(maker), parameters);
    }

    /// As [#async], with several results.
    public static <T, R> Operation flatMapAsync(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends StageFunction<? super T, ? extends CompletionStage<? extends Iterable<? extends R>>>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.of(output), new Body.OfFlatMapAsync(maker), parameters);
    }

    /// The policy of a merge of flows, each of `items`: what a plan names beside `merge`'s flows, `by: NAME`.
    public static <T> Operation mergePolicy(
            String name,
            TypeToken<T> items,
            Maker<? extends MergePolicy<? super T>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(items), Optional.empty(), new Body.OfMergePolicy(maker), parameters);
    }

    /// A step that makes several items of each; always in a stage of its own.
    public static <T, R> Operation flatMap(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends StageFunction<? super T, ? extends Iterable<? extends R>>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.of(output), new Body.OfFlatMap(maker), parameters);
    }

    /// A step that drops the items it does not accept; run by the step before it. Items keep their type.
    public static <T> Operation filter(
            String name,
            TypeToken<T> input,
            Maker<? extends StagePredicate<? super T>> maker,
            Parameter<?>... parameters) {
        return new Operation(name, Optional.of(input), Optional.empty(), new Body.OfFilter(maker), parameters);
    }

    /// A stateful aggregation over each epoch, on a thread of its own.
    ///
    /// @param state how a checkpoint treats the gatherer's state
    @SuppressWarnings("unchecked") // the tokens of item types have been checked
    public static <T, A, R> Operation gatherer(
            String name,
            TypeToken<T> input,
            TypeToken<R> output,
            Maker<? extends Gatherer<? super T, A, ? extends R>> maker,
            GathererState<? super A> state,
            Parameter<?>... parameters) {
        return new Operation(
                name,
                Optional.of(input),
                Optional.of(output),
                new Body.OfGatherer((before, stage, given) -> before.aggregate(
                        stage, (Gatherer<Object, A, Object>) (Gatherer<?, ?, ?>) maker.make(given), state)),
                parameters);
    }

    /// A step that a pipeline of its own does, with threads as that says, such as an aggregation whose state
    /// depends on what was given.
    @SuppressWarnings("unchecked")
    public static <T, R> Operation part(
            String name, TypeToken<T> input, TypeToken<R> output, Part<T, R> part, Parameter<?>... parameters) {
        return new Operation(
                name,
                Optional.of(input),
                Optional.of(output),
                new Body.OfGatherer((before, _, given) ->
                        (Pipeline<Object>) (Pipeline<?>) part.add((Pipeline<T>) (Pipeline<?>) before, given)),
                parameters);
    }

    /// What plans call it.
    public String name() {
        return name;
    }

    /// What it takes; empty for a source.
    public Optional<TypeToken<?>> input() {
        return input;
    }

    /// What it yields; empty for a filter and the policy of a merge, whose items keep their type.
    public Optional<TypeToken<?>> output() {
        return output;
    }

    /// What it can be given.
    public List<Parameter<?>> parameters() {
        return parameters;
    }

    Body body() {
        return body;
    }

    @Override
    public String toString() {
        return name + ": " + input.map(type -> type + " -> ").orElse("")
                + output.map(TypeToken::toString).orElse("the same");
    }

    /// Makes what an operation does, for one place in a plan.
    ///
    /// A failure is reported at that place, so its message should say what is wrong with what was given.
    @FunctionalInterface
    public interface Maker<B> {
        /// A source or a function for what was `given`.
        B make(Arguments given) throws Exception;
    }

    /// What a [#part] does.
    @FunctionalInterface
    public interface Part<T, R> {
        /// What comes out of `before`, as the plan wants it.
        Pipeline<R> add(Pipeline<T> before, Arguments given) throws Exception;
    }

    /// Adds an aggregation to a pipeline.
    @FunctionalInterface
    interface Gathering {
        Pipeline<Object> add(Pipeline<Object> before, String stage, Arguments given) throws Exception;
    }

    /// What kind of operation it is, with item types erased: the tokens have been checked.
    sealed interface Body {
        record OfSource(Maker<? extends Source<?>> maker) implements Body {}

        record OfFunction(Maker<? extends StageFunction<?, ?>> maker) implements Body {}

        record OfSeeded(Maker<? extends SeededFunction<?, ?>> maker) implements Body {}

        record OfAsync(Maker<? extends StageFunction<?, ? extends CompletionStage<?>>> maker) implements Body {}

        record OfFlatMapAsync(Maker<? extends StageFunction<?, ? extends CompletionStage<? extends Iterable<?>>>> maker)
                implements Body {}

        record OfMergePolicy(Maker<? extends MergePolicy<?>> maker) implements Body {}

        record OfFlatMap(Maker<? extends StageFunction<?, ? extends Iterable<?>>> maker) implements Body {}

        record OfFilter(Maker<? extends StagePredicate<?>> maker) implements Body {}

        record OfGatherer(Gathering gathering) implements Body {}
    }
}
