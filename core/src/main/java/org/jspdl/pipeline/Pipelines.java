package org.jspdl.pipeline;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.internal.checkpoint.ReadAdvance;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.RecipePrinter;
import org.jspdl.pipeline.internal.run.Excerpts;
import org.jspdl.pipeline.internal.run.Gathered;
import org.jspdl.pipeline.internal.run.Replay;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Source;

/// Tools for recipes: drawings, single stages, and another attempt for skipped items.
public final class Pipelines {
    private Pipelines() {}

    /// The recipe as a Mermaid flowchart.
    public static String toMermaid(Pipeline<?> pipeline) {
        return RecipePrinter.mermaid(requireNonNull(pipeline, "pipeline").recipe());
    }

    /// The stages that have options, in the recipe's order, each to be run alone: `pipe` and `flatMap`, also those
    /// before a merge and in the branches of a route.
    public static List<StagePart> parts(Pipeline<?> pipeline) {
        return StagePart.of(requireNonNull(pipeline, "pipeline").recipe());
    }

    /// Runs items that a failure policy has skipped again, one after the other, up to the stage where they failed.
    ///
    /// A batch or a gatherer forms a group again from its own members. An item takes its branch through routes and
    /// merges again. Every stage fails fast, whatever its policy is.
    ///
    /// @param options the seed and the compute threads of the run that skipped the items
    /// @throws IllegalArgumentException if the item's source is not random-access, or a gatherer before the stage
    ///     depends on more than the members of its emissions (see [GathererState#emptyAfterEmission])
    public static List<Replayed> replay(Pipeline<?> pipeline, List<FailedItem> items, RunOptions options) {
        requireNonNull(pipeline, "pipeline");
        requireNonNull(options, "options");
        return List.copyOf(items).stream()
                .map(item -> Replay.replay(pipeline.name(), pipeline.recipe(), item, options))
                .toList();
    }

    /// Runs `places` of `epoch` alone, through the first steps that make one item of one: up to the first batch,
    /// filter, division or route. Each item is what a whole run of the same seed makes of that place, to the bit.
    /// Failure policies only retry; what fails in the end is told, and ends nothing. Safe for several threads if
    /// the steps are.
    ///
    /// @param places  below [#places], each once, in the order in which items are wanted
    /// @param options the seed and the compute threads of the run
    /// @throws IllegalArgumentException if the pipeline has no [#places], or not all of these
    public static Excerpt excerpt(Pipeline<?> pipeline, long epoch, List<Long> places, RunOptions options) {
        requireNonNull(options, "options");
        return Excerpts.of(pipeline.name(), pipeline.recipe(), epoch, List.copyOf(places), options);
    }

    /// As [#excerpt], through all steps: what a filter drops is null, and has not failed. Throws
    /// `IllegalArgumentException` also if a step makes other than one item of one, or none.
    public static Excerpt wholeExcerpt(Pipeline<?> pipeline, long epoch, List<Long> places, RunOptions options) {
        return Excerpts.whole(pipeline.name(), pipeline.recipe(), epoch, List.copyOf(places), options);
    }

    /// Starts a run of what the steps make of `places` of `epoch` in this order: to the bit as in a whole run where
    /// these came together. Throws `IllegalArgumentException` if a step or the source can't; the message names it.
    public static <T> Run<T> gathered(Pipeline<T> pipeline, long epoch, List<Long> places, RunOptions options) {
        if (Recipe.sources(pipeline.recipe()).stream().anyMatch(source -> !(source instanceof RankedSource<?>))) {
            throw new IllegalArgumentException("pipeline '" + pipeline.name() + "': what came together can't be made"
                    + " again of its places alone: a source finds no place by its number, as samplers do; a checkpoint"
                    + " says where it is read on from");
        }
        return gathered(
                pipeline,
                epoch,
                places.stream().map(place -> new SourcePlace(0, place)).toList(),
                Optional.empty(),
                options);
    }

    /// The same for places of several sources, mixed in this order, and for sources that find no place by its
    /// number, as streams of shards: these are read on from where `checkpoint` has them, and what is not wanted is
    /// dropped.
    ///
    /// @param checkpoint of the run before it had delivered any of the places; empty for the start of the epoch
    public static <T> Run<T> gathered(
            Pipeline<T> pipeline,
            long epoch,
            List<SourcePlace> places,
            Optional<Checkpoint> checkpoint,
            RunOptions options) {
        return Gathered.of(
                pipeline.name(),
                pipeline.recipe(),
                epoch,
                List.copyOf(places),
                checkpoint.map(Checkpoint::toJson),
                options);
    }

    /// As [Checkpoint#delivering], also for one source that finds no place by its number, such as shards: it is
    /// read without any step up to the last of `places`.
    ///
    /// @throws IllegalArgumentException if it can't be told so; the message says why
    /// @throws IOException if the source can't be read
    public static Checkpoint delivering(
            Pipeline<?> pipeline, Checkpoint before, long epoch, List<Long> places, long delivered) throws IOException {
        List<Source<?>> sources = Recipe.sources(pipeline.recipe());
        if (sources.size() != 1 || sources.getFirst() instanceof RankedSource<?>) {
            return before.delivering(epoch, places, delivered);
        }
        try {
            return Checkpoint.parse(
                    ReadAdvance.delivering(before.toJson(), sources.getFirst(), epoch, places, delivered));
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException(
                    "pipeline '" + pipeline.name() + "': a source can't be read again: " + failure.getMessage(),
                    failure);
        }
    }

    /// How many places an epoch has that can be run [alone][#excerpt]. Throws `IllegalArgumentException` if there
    /// are none: a pipeline needs one source of all ranks that finds a place by its number, as samplers do.
    public static long places(Pipeline<?> pipeline) {
        return Excerpts.source(pipeline.name(), pipeline.recipe()).places();
    }
}
