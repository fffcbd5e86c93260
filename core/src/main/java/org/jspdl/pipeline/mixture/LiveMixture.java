package org.jspdl.pipeline.mixture;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.internal.live.LiveRun;
import org.jspdl.pipeline.internal.recipe.LiveWeights;
import org.jspdl.pipeline.internal.recipe.MixSchedule;

/// The weights of a run whose recipe begins with a [live][org.jspdl.pipeline.Mix#live()] mix.
///
/// A change names its first step: the number of an item that the consumer receives, from 0, over all epochs. It is in
/// effect exactly there, however much is prepared ahead: when the consumer comes to that step, what was prepared from
/// there on is dropped and made again with the new weights, which costs as much as filling the pipeline at its start.
/// From then on these weights hold, also in later epochs, instead of the mix's schedule. Give all ranks the same
/// changes at the same steps.
///
/// Checkpoints have the changes. A run that resumes from one makes them without being told, and so does a run whose
/// options [name them][#replaying]. Behind a live mix, steps make one item of one, or a batch; filters and skipped
/// failures are allowed, and all is in input order. Other steps are refused by name when the run starts: put them into
/// the pipelines that are mixed.
///
/// ```java
/// try (Run<Batch> run = Pipeline.mix(1, 0.9, 0.1).live().of(ALL_EXHAUSTED, web, code).batch(256).start()) {
///     LiveMixture.of(run).change(20_000, 0.5, 0.5);
///     for (Batch batch : run) { ... }
/// }
/// ```
///
/// Safe for several threads, except [#watch(Path)], which belongs to the consumer's.
public final class LiveMixture {
    private final LiveRun<?> run;

    private LiveMixture(LiveRun<?> run) {
        this.run = run;
    }

    /// The mixture of a run.
    ///
    /// @throws IllegalArgumentException if its recipe has no live mix
    public static LiveMixture of(Run<?> run) {
        return find(run)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the run's recipe has no mix whose weights may change: say Pipeline.mix(..).live()"));
    }

    /// The mixture of a run, if its recipe has a live mix.
    public static Optional<LiveMixture> find(Run<?> run) {
        return requireNonNull(run, "run") instanceof LiveRun<?> live
                ? Optional.of(new LiveMixture(live))
                : Optional.empty();
    }

    /// Has a run watch the file that its recipe names, from the consumer's next step on. Without such a file it
    /// does nothing. Called by the consumer before it takes the first item.
    public static void watch(Run<?> run) {
        if (requireNonNull(run, "run") instanceof LiveRun<?> live) {
            live.file().ifPresent(new LiveMixture(live)::watch);
        }
    }

    /// `options` of a run that makes these changes, which another run has made: it delivers the same items.
    public static RunOptions replaying(RunOptions options, List<WeightChange> changes) {
        LiveWeights all = new LiveWeights(List.of());
        for (WeightChange change : changes) {
            double[] weights =
                    change.weights().stream().mapToDouble(Double::doubleValue).toArray();
            all = all.with(
                    new LiveWeights.Change(change.step(), change.epoch(), change.item(), MixSchedule.checked(weights)));
        }
        return changes.isEmpty() ? options : options.provenance(LiveWeights.KEY, all.text());
    }

    /// Changes the weights from `step` on.
    ///
    /// @param weights one for each pipeline; one of weight 0 waits, and comes only if all others have ended
    /// @throws IllegalArgumentException if there are not as many weights as pipelines, or another change has this
    ///     step, or one that the run knows from its start on has a later one
    /// @throws IllegalStateException if the consumer has come to the step already; the message names the rank and
    ///     the first step that can change. Or if the run is closed
    public void change(long step, double... weights) {
        run.change(step, weights);
    }

    /// Changes the weights at a step on which the ranks agree. Waits as long as that takes. Called by the
    /// consumer's thread it can't be late; by another, the consumer may meanwhile have come to the step, which
    /// fails as in [#change(long, double...)].
    ///
    /// @return the step
    public long change(StepAgreement agreement, double... weights) throws Exception {
        long earliest = firstStep();
        long step = agreement.agree(earliest);
        if (step < earliest) {
            throw new IllegalStateException("the ranks have agreed on step " + step
                    + ", and this one can't change weights before step " + earliest);
        }
        run.change(step, weights);
        return step;
    }

    /// The first step whose weights can still change.
    public long firstStep() {
        return run.firstStep();
    }

    /// The changes that are in effect, and those that the run knows since its start, in the order of their steps.
    public List<WeightChange> changes() {
        return run.weights().changes().stream()
                .map(change -> new WeightChange(change.step(), change.epoch(), change.item(), change.weights()))
                .toList();
    }

    /// Where the run stood when it made its last change, with that change; empty if it has made none. A run that
    /// resumes from it delivers all items from the change's step on.
    public Optional<Checkpoint> lastChange() {
        return run.changedAt();
    }

    /// Reads changes from a file, at the consumer's next step and whenever the file has grown: a JSON object on
    /// each line, with `weights`, and `step` unless the ranks are to agree on one.
    ///
    /// ```json
    /// {"step": 20000, "weights": [0.5, 0.5]}
    /// {"weights": [0.2, 0.8]}
    /// ```
    ///
    /// Ranks agree by files of their own beside it, `FILE.2.rank-0-of-8` for its second line: each writes a step
    /// that it will not pass before all others have written theirs, and the largest holds. A line that is wrong or
    /// comes too late ends the iteration with an `IllegalStateException` that names it. The file may be missing at
    /// first; its lines must stay.
    ///
    /// A run that goes on from a checkpoint uses what its ranks have written. One that begins anew must not:
    /// several ranks refuse the files of an earlier run, by an `IllegalStateException` that names one; a rank alone
    /// removes its own.
    public void watch(Path file) {
        int[] ranks = run.ranks();
        run.watch(new WeightFile(run, file, ranks[0], ranks[1]));
    }
}
