package org.jspdl.pipeline.internal.recipe;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.pipeline.internal.checkpoint.RunIdentity;

/// The changes of a live mix that a run has gone through, or is to go through. Immutable.
///
/// They travel in the run's provenance, so that every checkpoint has them, and a run that resumes or replays makes
/// them without being told.
///
/// @param changes in the order of their steps, which is that of their epochs and items
public record LiveWeights(List<Change> changes) {
    /// The name of a live mix's stage. A recipe has one at most.
    public static final String STAGE = "live mix";
    /// Under which the changes stand in a provenance.
    public static final String KEY = RunIdentity.LIVE_WEIGHTS;

    private static final LiveWeights NONE = new LiveWeights(List.of());

    /// Weights that hold from one step on.
    ///
    /// @param step    the first item that the consumer receives of them, over all epochs
    /// @param epoch   the epoch of that item
    /// @param item    the first item of the mix, in that epoch
    /// @param weights one for each input
    public record Change(long step, long epoch, long item, List<Double> weights) {
        /// Copies the weights.
        public Change {
            weights = List.copyOf(weights);
        }

        @Override
        public String toString() {
            return "step " + step + " (epoch " + epoch + ", item " + item + ") " + weights;
        }
    }

    /// Copies the changes.
    public LiveWeights {
        changes = List.copyOf(changes);
    }

    /// Those in a provenance.
    ///
    /// @throws IllegalArgumentException if its entry is none that [#text] has made
    public static LiveWeights of(Map<String, String> provenance) {
        String text = provenance.get(KEY);
        return text == null ? NONE : parse(text);
    }

    /// The same with one more.
    public LiveWeights with(Change change) {
        List<Change> more = new ArrayList<>(changes);
        more.add(change);
        return new LiveWeights(more);
    }

    /// The last change, if any.
    public Optional<Change> last() {
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
    }

    /// Whether these are those of `before`, and perhaps more.
    public boolean goesOnFrom(LiveWeights before) {
        int count = before.changes.size();
        return changes.size() >= count && changes.subList(0, count).equals(before.changes);
    }

    /// Puts the weights for an item of an epoch into `weights`.
    ///
    /// @param schedule holds before the first change
    /// @return the first item of the epoch for which they may be others
    public long at(MixSchedule schedule, long epoch, long item, double[] weights) {
        Change now = null;
        long until = Long.MAX_VALUE;
        for (Change change : changes) {
            if (change.epoch < epoch || (change.epoch == epoch && change.item <= item)) {
                now = change;
            } else if (change.epoch == epoch) {
                until = Math.min(until, change.item);
            }
        }
        if (now == null) {
            return Math.min(until, schedule.at(item, weights));
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] = now.weights.get(i);
        }
        return until;
    }

    /// A line that [#of] reads.
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Change change : changes) {
            text.append(text.isEmpty() ? "" : "; ")
                    .append(change.step)
                    .append(' ')
                    .append(change.epoch)
                    .append(' ')
                    .append(change.item);
            change.weights.forEach(weight -> text.append(' ').append(weight));
        }
        return text.toString();
    }

    private static LiveWeights parse(String text) {
        List<Change> changes = new ArrayList<>();
        for (String each : text.split("; ", -1)) {
            String[] words = each.split(" ", -1);
            try {
                if (words.length < 4) {
                    throw new IllegalArgumentException("too few numbers");
                }
                double[] weights = new double[words.length - 3];
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = Double.parseDouble(words[i + 3]);
                }
                Change change = new Change(
                        Long.parseLong(words[0]),
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        MixSchedule.checked(weights));
                if (change.step < 0
                        || change.epoch < 0
                        || change.item < 0
                        || (!changes.isEmpty() && !isBehind(changes.getLast(), change))) {
                    throw new IllegalArgumentException("out of order");
                }
                changes.add(change);
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "not a change of weights, [step epoch item weight...]: '" + each + "', "
                                + malformed.getMessage(),
                        malformed);
            }
        }
        return new LiveWeights(changes);
    }

    private static boolean isBehind(Change before, Change change) {
        return change.step > before.step
                && (change.epoch > before.epoch || (change.epoch == before.epoch && change.item >= before.item));
    }
}
