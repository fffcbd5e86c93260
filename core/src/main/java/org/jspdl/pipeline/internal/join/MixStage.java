package org.jspdl.pipeline.internal.join;

import java.util.Arrays;
import java.util.List;
import org.jspdl.pipeline.internal.lineage.ItemRandom;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.Recipe.MergePolicy;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;

/// Takes from several links in an order that depends on the number of each draw alone.
///
/// Draw d takes the link that the policy names for d. If that link has ended its epoch, round-robin passes the draw
/// over and weighted drawing draws again, so the order does not depend on when an end is noticed, and a resumed run
/// makes the same draws.
public final class MixStage extends ThreadStage {
    /// Redraws before an almost weightless rest is taken in turn.
    private static final int MOST_REDRAWS = 64;

    private final MergePolicy policy;
    private final boolean untilFirstEnds;
    /// How many draws an epoch has at most.
    private final long limit;
    private final Link output;
    private final Fusion fused;
    private final MixProgress draws;
    private final long firstEpoch;
    private final boolean[] exhausted;

    public MixStage(
            RunContext run,
            String name,
            MergePolicy policy,
            MixProgress draws,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            List<Link> inputs,
            Link output) {
        super(run, name, 1, Threads.ENGINE, inputs, List.of(output));
        this.policy = policy;
        this.untilFirstEnds = switch (policy) {
            case MergePolicy.RoundRobin(boolean first) -> first;
            case MergePolicy.Weighted(long seed, List<Double> weights, boolean first) -> first;
            case MergePolicy.First(long items) -> false;
            case MergePolicy.Arrival() -> throw new IllegalArgumentException("arrival order has no draws");
        };
        this.limit = policy instanceof MergePolicy.First(long items) ? items : Long.MAX_VALUE;
        this.output = output;
        this.fused = new Fusion(fused, run);
        this.draws = draws;
        this.firstEpoch = firstEpoch;
        this.exhausted = new boolean[inputs.size()];
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        for (long epoch = firstEpoch; epoch < run.options().epochs(); epoch++) {
            run.ledger().startEpoch(draws, epoch);
            Arrays.fill(exhausted, false);
            if (!drawEpoch(epoch, slot)) {
                return;
            }
            if (!allExhausted() && epoch + 1 == run.options().epochs() && run.abandon(this)) {
                output.mark(Envelope.epochEnd(epoch));
                output.mark(Envelope.end());
                return;
            }
            if (!drain(epoch, slot)) {
                return;
            }
            output.mark(Envelope.epochEnd(epoch));
            inputs.forEach(Link::finished);
        }
        for (Link input : inputs) {
            Envelope end = take(input, slot);
            if (end == null) {
                return;
            }
        }
        output.mark(Envelope.end());
    }

    /// Draws until the policy's end; false if a link was closed.
    private boolean drawEpoch(long epoch, WorkerSlot slot) throws InterruptedException {
        while (!allExhausted() && !run.ledger().drawsEnded(draws)) {
            long draw = run.ledger().nextDraw(draws);
            if (draw >= limit) {
                run.ledger().endDraws(draws);
                return true;
            }
            int choice = choose(epoch, draw);
            if (exhausted[choice]) {
                run.ledger().skipDraw(draws);
                continue;
            }
            Envelope envelope = take(inputs.get(choice), slot);
            if (envelope == null) {
                return false;
            }
            switch (envelope.kind) {
                case ITEM -> {
                    if (!pass(envelope, slot)) {
                        return false;
                    }
                    inputs.get(choice).finished();
                }
                case EPOCH_END -> {
                    exhausted[choice] = true;
                    if (untilFirstEnds) {
                        run.ledger().endDraws(draws);
                    }
                }
                case END -> {
                    output.mark(envelope);
                    return false;
                }
            }
        }
        return true;
    }

    private boolean pass(Envelope item, WorkerSlot slot) throws InterruptedException {
        boolean reserved = false;
        try {
            reserved = reserve(output, slot);
        } finally {
            if (!reserved) {
                run.disposal().dispose(item);
            }
        }
        if (!reserved) {
            return false;
        }
        Envelope drawn = Envelope.item(item.value, item.epoch, run.ledger().draw(draws, item.lineage));
        drawn.bytes = item.bytes;
        passOn(drawn, fused, output, slot);
        return true;
    }

    private int choose(long epoch, long draw) {
        return switch (policy) {
            case MergePolicy.First _ -> 0;
            case MergePolicy.RoundRobin _ -> (int) (draw % exhausted.length);
            case MergePolicy.Weighted(long seed, List<Double> weights, boolean _) -> {
                int choice = 0;
                for (int attempt = 0; attempt < MOST_REDRAWS; attempt++) {
                    choice = weighted(weights, ItemRandom.uniform(seed, epoch, draw, attempt));
                    if (!exhausted[choice]) {
                        yield choice;
                    }
                }
                while (exhausted[choice]) {
                    choice = (choice + 1) % exhausted.length;
                }
                yield choice;
            }
            case MergePolicy.Arrival _ -> throw new IllegalStateException("arrival order has no draws");
        };
    }

    private static int weighted(List<Double> weights, double uniform) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double rest = uniform * sum;
        for (int i = 0; i < weights.size() - 1; i++) {
            rest -= weights.get(i);
            if (rest < 0) {
                return i;
            }
        }
        return weights.size() - 1;
    }

    private boolean allExhausted() {
        for (boolean each : exhausted) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    /// Leaves the epoch and reads the links to its end.
    private boolean drain(long epoch, WorkerSlot slot) throws InterruptedException {
        inputs.forEach(input -> input.leave(epoch));
        for (int i = 0; i < exhausted.length; i++) {
            while (!exhausted[i]) {
                Envelope envelope = take(inputs.get(i), slot);
                if (envelope == null) {
                    return false;
                }
                switch (envelope.kind) {
                    // The consumer may be leaving the same epoch, and not have come here yet.
                    case ITEM -> {
                        run.disposal().dispose(envelope);
                        run.settled(envelope);
                        inputs.get(i).finished();
                    }
                    case EPOCH_END -> exhausted[i] = true;
                    case END -> {
                        output.mark(envelope);
                        return false;
                    }
                }
            }
        }
        return true;
    }

    @Override
    public String placement() {
        return "inline";
    }
}
