package org.jspdl.pipeline.resume;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.Watchdog;
import org.jspdl.stats.StageStats;

/// Deliveries of a pipeline, by epoch, over one run or over several of which each resumes the one before.
///
/// @param epochs        what was delivered in each epoch, in order
/// @param interruptions how often a run was broken off
/// @param longest       characters of the longest checkpoint
record Interrupted<T>(List<List<T>> epochs, int interruptions, int longest) {

    /// What one run delivers.
    static <T> List<List<T>> never(Pipeline<T> pipeline, RunOptions options) {
        return atRandom(tuning -> pipeline, options, new Random(0), Integer.MAX_VALUE).epochs;
    }

    /// Breaks runs off after random numbers of deliveries below `mostApart`, and resumes each from a checkpoint
    /// that went through its text, with another tuning. Some have a byte budget, and some are tuned as they go on.
    static <T> Interrupted<T> atRandom(
            Function<Tuning, Pipeline<T>> recipe, RunOptions options, Random random, int mostApart) {
        List<List<T>> epochs = new ArrayList<>();
        for (long i = 0; i < options.epochs(); i++) {
            epochs.add(new ArrayList<>());
        }
        Optional<Checkpoint> last = Optional.empty();
        int interruptions = 0;
        int longest = 0;
        while (true) {
            RunOptions from = last.map(options::resumeFrom).orElse(options);
            boolean undisturbed = mostApart == Integer.MAX_VALUE;
            int stopAfter = undisturbed ? mostApart : random.nextInt(mostApart);
            if (!undisturbed && random.nextInt(3) == 0) {
                from = from.byteBudget(new ByteBudget(1 + random.nextInt(60), 0));
            }
            int tuneEvery = undisturbed || random.nextInt(3) > 0 ? Integer.MAX_VALUE : 1 + random.nextInt(20);
            try (Watchdog watchdog = new Watchdog();
                    Run<T> run = recipe.apply(new Tuning(random.nextLong())).start(from)) {
                if (watchdog.watch(run, () -> deliver(run, stopAfter, epochs, tuneEvery, random))) {
                    return new Interrupted<>(epochs, interruptions, longest);
                }
                last = Optional.of(Checkpoint.parse(run.checkpoint().toJson()));
            } catch (InterruptedException stop) {
                throw new AssertionError("interrupted by somebody else", stop);
            }
            interruptions++;
            longest = Math.max(longest, last.orElseThrow().toJson().length());
        }
    }

    /// Whether the run came to its end before it had delivered `most`.
    private static <T> boolean deliver(Run<T> run, int most, List<List<T>> epochs, int tuneEvery, Random random) {
        int delivered = 0;
        if (run.epoch() >= epochs.size()) {
            return true;
        }
        do {
            for (T item : run) {
                epochs.get((int) run.epoch()).add(item);
                if (++delivered >= most) {
                    return false;
                }
                if (delivered % tuneEvery == 0) {
                    List<StageStats> stages = run.stats().stages();
                    String stage = stages.get(random.nextInt(stages.size())).name();
                    run.tune(org.jspdl.pipeline.Tuning.buffer(stage, 1 + random.nextInt(8)));
                }
            }
        } while (run.nextEpoch());
        return true;
    }

    /// Everything, in order.
    List<T> all() {
        return epochs.stream().flatMap(List::stream).toList();
    }
}
