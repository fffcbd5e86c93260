package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspdl.pipeline.internal.tune.Proposal.Aim;
import org.jspdl.pipeline.internal.tune.Proposal.Move;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.model.PipelineModel;

/// Asks a model of what was measured which change would help.
///
/// Predictions are used as ratios to the model's own rate, so what the model leaves out counts on both sides. Used by
/// one thread.
final class Proposals {
    /// Less than this is not worth a trial.
    static final double WORTH = 1.03;
    private static final double WORTH_TOGETHER = 1.06;
    /// Several changes have to promise so much more than one.
    private static final double TOGETHER = 1.15;
    /// A model expects so much of anything that does no harm.
    private static final double HARMLESS = 0.995;
    /// A stage keeps so much room for calls that take longer.
    private static final double SPARE = 1.25;
    /// Items take more than was measured of them.
    private static final double MEMORY_MARGIN = 1.25;
    /// Where so much of the processors is used, and the consumer has so much to do and waits for no more than so
    /// much of the time, loading may be what slows it.
    private static final double CONTENDED = 0.35;
    private static final double CONSUMING = 0.1;
    private static final double STARVED = 0.5;

    private final Settings settings;
    private final PipelineModel model;
    private final double rate;
    private final double bytesPerItem;
    private final double headroom;
    private final boolean contended;

    /// @param measured     the run as it is
    /// @param bytesPerItem what an item in flight takes, as far as that is known
    Proposals(Settings settings, Measurement measured, double bytesPerItem) {
        this.settings = settings;
        PipelineStats interval = measured.interval();
        this.model = PipelineModel.of(
                interval,
                new PipelineModel.Processors(measured.processorsAvailable(), measured.processorsUsed(), Map.of()));
        this.rate = model.rate();
        Resources resources = measured.last().resources();
        double weighed = interval.delivered() == 0 ? 0 : (double) interval.deliveredBytes() / interval.delivered();
        this.bytesPerItem = Math.max(weighed, bytesPerItem);
        this.headroom = resources.headroomBytes() - 0.1 * resources.limitBytes();
        double used = measured.processorsUsed() + measured.processorsUsedByOthers();
        double consuming = interval.elapsed().isZero()
                ? 0
                : (double) interval.consumerBusy().toNanos()
                        / interval.elapsed().toNanos();
        boolean isShort = used >= CONTENDED * resources.processors()
                || measured.processorsUsed() >= CONTENDED * resources.usable();
        this.contended = isShort && consuming >= CONSUMING && measured.starved() <= STARVED;
    }

    /// What the model expects of `moves`, as part of the throughput without them.
    private double predict(List<Move> moves) {
        PipelineModel changed = model;
        for (Move move : moves) {
            changed = move.knob().apply(changed, move.to() - move.from());
        }
        return rate <= 0 ? 1 : changed.rate() / rate;
    }

    private Proposal more(List<Move> moves) {
        double predicted = predict(moves);
        String why = String.format(Locale.ROOT, "the model expects %+.0f %% throughput", 100 * (predicted - 1));
        return new Proposal(moves, predicted, Aim.MORE, why);
    }

    private Proposal proposal(Aim aim, List<Move> moves, String why) {
        return new Proposal(moves, predict(moves), aim, why);
    }

    /// What helps most: of one change, or of as few as are needed together, if that is much more.
    Optional<Proposal> raise() {
        List<Move> doubled = new ArrayList<>();
        settings.knobs().forEach(knob -> doubling(knob).ifPresent(doubled::add));
        Optional<Proposal> one = doubled.stream()
                .map(move -> more(List.of(move)))
                .max(Comparator.comparingDouble(Proposal::predicted))
                .filter(each -> each.predicted() >= WORTH);
        double enough = one.map(each -> TOGETHER * each.predicted()).orElse(WORTH_TOGETHER);
        return together(doubled)
                .filter(each -> each.predicted() >= enough)
                .or(() -> one.map(each -> leastAsGood(each.moves().getFirst())));
    }

    private Optional<Move> doubling(Knob knob) {
        int value = settings.value(knob);
        int most = settings.ceiling(knob);
        for (int to = Math.min(2 * value, most); to > value; to = value + (to - value) / 2) {
            if (fits(to - value)) {
                return Optional.of(new Move(knob, value, to));
            }
        }
        return Optional.empty();
    }

    /// Whether so many items more are expected to fit into the memory that is left.
    private boolean fits(int items) {
        return items * bytesPerItem * MEMORY_MARGIN <= headroom;
    }

    private Proposal leastAsGood(Move doubling) {
        Knob knob = doubling.knob();
        int value = doubling.from();
        TreeSet<Integer> values = new TreeSet<>(List.of(value + Math.ceilDiv(value, 2), doubling.to()));
        values.add(Math.min(4 * value, settings.ceiling(knob)));
        values.removeIf(each -> each <= value || each > settings.ceiling(knob) || !fits(each - value));
        List<Proposal> all = values.stream()
                .map(to -> more(List.of(new Move(knob, value, to))))
                .toList();
        double most = all.stream().mapToDouble(Proposal::predicted).max().orElse(0);
        return all.stream()
                .filter(each -> each.predicted() >= 0.99 * most)
                .findFirst()
                .orElseThrow();
    }

    /// Stages that limit about equally help only together: those of `doubled` that are needed.
    private Optional<Proposal> together(List<Move> doubled) {
        int items = doubled.stream().mapToInt(move -> move.to() - move.from()).sum();
        if (doubled.size() < 2 || settings.isOneByOne() || !fits(items)) {
            return Optional.empty();
        }
        double all = predict(doubled);
        List<Move> needed = new ArrayList<>(doubled);
        for (Move move : doubled) {
            List<Move> fewer = new ArrayList<>(needed);
            fewer.remove(move);
            if (!fewer.isEmpty() && predict(fewer) >= 0.99 * all) {
                needed = fewer;
            }
        }
        return needed.size() < 2 ? Optional.empty() : Optional.of(more(needed));
    }

    /// What could be saved without harm: a quarter of a number or more.
    Optional<Proposal> trim() {
        for (Knob knob : settings.knobs()) {
            int value = settings.value(knob);
            if (knob.kind() == Knob.Kind.BUFFER && value <= knob.start()) {
                continue;
            }
            for (int to = settings.floor(knob);
                    to <= value - Math.ceilDiv(value, 4);
                    to = Math.max(to + 1, to * 5 / 4)) {
                Move move = new Move(knob, value, to);
                if (isHarmless(move)) {
                    return Optional.of(
                            proposal(Aim.SAVE, List.of(move), "the model expects the same throughput of less"));
                }
            }
        }
        return Optional.empty();
    }

    /// Half of the workers of a compute stage, where the consumer computes too and processors are short. The model
    /// knows nothing of what a consumer loses to its loader, so only a trial can tell.
    Optional<Proposal> giveWay() {
        return fewerComputing(settings::floor)
                .map(fewer ->
                        proposal(Aim.GIVE_WAY, List.of(fewer), "fewer may leave the consumer more of the processors"));
    }

    private Optional<Move> fewerComputing(ToIntFunction<Knob> floor) {
        if (!contended) {
            return Optional.empty();
        }
        for (Knob knob : settings.knobs()) {
            int value = settings.value(knob);
            int to = Math.max(floor.applyAsInt(knob), Math.ceilDiv(value, 2));
            if (knob.kind() == Knob.Kind.CONCURRENCY && computes(knob) && to < value) {
                return Optional.of(new Move(knob, value, to));
            }
        }
        return Optional.empty();
    }

    private boolean computes(Knob knob) {
        return model.stage(knob.stage()).computes();
    }

    /// Twice the calls of a stage that waits, where the consumer computes too and processors are short. The model
    /// knows the share of the processors that loading gets, not that it gets little while the consumer computes and
    /// all while that waits for its device: for such bursts enough must have been read.
    Optional<Proposal> fillBursts() {
        return doubledWaiting(Optional.empty());
    }

    /// The same with half of the workers of a compute stage: what is read ahead lets fewer do.
    Optional<Proposal> trade() {
        Optional<Move> fewer = fewerComputing(Knob::least);
        return fewer.isEmpty() ? Optional.empty() : doubledWaiting(fewer);
    }

    private Optional<Proposal> doubledWaiting(Optional<Move> fewer) {
        if (!contended) {
            return Optional.empty();
        }
        for (Knob knob : settings.knobs()) {
            int value = settings.value(knob);
            int to = Math.min(2 * value, knob.most());
            if (knob.kind() != Knob.Kind.CONCURRENCY || computes(knob) || to == value || !fits(to - value)) {
                continue;
            }
            List<Move> moves = new ArrayList<>(List.of(new Move(knob, value, to)));
            fewer.ifPresent(moves::add);
            if (settings.mayTry(moves)) {
                return Optional.of(proposal(Aim.BURSTS, moves, "more may use the processors while the consumer waits"));
            }
        }
        return Optional.empty();
    }

    private boolean isHarmless(Move move) {
        PipelineModel less = move.knob().apply(model, move.to() - move.from());
        if (less.rate() < HARMLESS * rate) {
            return false;
        }
        PipelineModel slower = less.with(move.knob().stage(), each -> each.timesScaled(SPARE));
        PipelineModel slowerNow = model.with(move.knob().stage(), each -> each.timesScaled(SPARE));
        return slower.rate() >= HARMLESS * Math.min(rate, slowerNow.rate());
    }
}
