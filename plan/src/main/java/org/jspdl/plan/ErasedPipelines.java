package org.jspdl.plan;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspdl.pipeline.MergePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.SeededFunction;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.pipeline.StagePredicate;
import org.jspdl.source.Source;

/// Adds checked operations to a pipeline of items whose types are erased, because their tokens have been compared.
@SuppressWarnings("unchecked")
final class ErasedPipelines {
    private ErasedPipelines() {}

    static Pipeline<Object> from(Source<?> source) {
        return Pipeline.from((Source<Object>) source);
    }

    static Pipeline<Object> erase(Pipeline<?> pipeline) {
        return (Pipeline<Object>) pipeline;
    }

    static Pipeline<Object>[] array(List<Pipeline<Object>> pipelines) {
        return pipelines.toArray(Pipeline[]::new);
    }

    /// The key of an item as the plan writes it.
    static StageFunction<Object, String> key(StageFunction<?, ?> function) {
        StageFunction<Object, Object> erased = (StageFunction<Object, Object>) function;
        return item -> String.valueOf(erased.apply(item));
    }

    /// As [#key], where the key comes later.
    static StageFunction<Object, CompletionStage<String>> laterKey(StageFunction<?, ?> function) {
        var erased = (StageFunction<Object, CompletionStage<Object>>) function;
        return item -> erased.apply(item).thenApply(String::valueOf);
    }

    static Pipeline<Object> merged(String name, MergePolicy<?> policy, Pipeline<Object>[] pipelines) {
        return Pipeline.merge(name, (MergePolicy<Object>) policy, pipelines);
    }

    static Pipeline<Object> batched(Pipeline<Object> before, PlanStep.Batch batch) {
        return batch.flushAfter().isPresent()
                ? erase(before.batch(
                        batch.size(), batch.remainder(), batch.flushAfter().get()))
                : erase(before.batch(batch.size(), batch.remainder()));
    }

    static Pipeline<Object> add(
            Pipeline<Object> before,
            String name,
            CallResolver.Use use,
            Optional<StageSettings> stage,
            PipelineBuilder builder) {
        return switch (use.operation().body()) {
            case Operation.Body.OfFunction(var maker) -> {
                var function = (StageFunction<Object, Object>) builder.make(use, maker);
                yield stage.isEmpty() ? before.map(function) : before.pipe(name, function, options(stage, builder));
            }
            case Operation.Body.OfSeeded(var maker) -> {
                var function = (SeededFunction<Object, Object>) builder.make(name, use, maker);
                yield before.pipeSeeded(name, function, options(stage, builder));
            }
            case Operation.Body.OfAsync(var maker) -> {
                var function = (StageFunction<Object, CompletionStage<Object>>) builder.make(use, maker);
                yield before.pipeAsync(name, function, options(stage, builder));
            }
            case Operation.Body.OfFlatMapAsync(var maker) -> {
                var function = (StageFunction<Object, CompletionStage<Iterable<Object>>>) builder.make(use, maker);
                yield before.flatMapAsync(name, function, options(stage, builder));
            }
            case Operation.Body.OfFlatMap(var maker) -> {
                var function = (StageFunction<Object, Iterable<Object>>) builder.make(use, maker);
                yield before.flatMap(name, function, options(stage, builder));
            }
            case Operation.Body.OfFilter(var maker) -> before.filter((StagePredicate<Object>) builder.make(use, maker));
            case Operation.Body.OfGatherer(var gathering) ->
                builder.<Pipeline<Object>>make(use, given -> gathering.add(before, name, given));
            case Operation.Body.OfSource _, Operation.Body.OfMergePolicy _ ->
                throw new IllegalStateException("'" + use.operation().name() + "' cannot be a step");
        };
    }

    static StageOptions options(Optional<StageSettings> stage, PipelineBuilder builder) {
        return stage.orElseThrow().options(builder.finish());
    }
}
