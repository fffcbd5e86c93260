package org.jspdl.pipeline.internal.join;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.stage.Fusion;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.ThreadStage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Takes from several links in an order of its own: draw by draw, of which each takes one item from one link. Epochs
/// end together, also where the draws of one end before its items do.
abstract class SelectingStage extends ThreadStage {
    /// The choice that ends the draws of the epoch.
    static final int END = -1;

    final MixProgress draws;
    final Link output;
    private final Fusion fused;
    private final long firstEpoch;
    /// The links that have come to the end of the epoch.
    final boolean[] exhausted;
    /// The next item of each link, where it was looked at.
    private final @Nullable Envelope[] heads;
    /// Whether a link was cancelled, or has come to the end of all items.
    private boolean over;

    SelectingStage(
            RunContext run,
            String name,
            MixProgress draws,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            List<Link> inputs,
            Link output) {
        super(run, name, 1, Threads.ENGINE, inputs, List.of(output));
        this.draws = draws;
        this.output = output;
        this.fused = new Fusion(fused, run);
        this.firstEpoch = firstEpoch;
        this.exhausted = new boolean[inputs.size()];
        this.heads = new @Nullable Envelope[inputs.size()];
    }

    /// Begins an epoch.
    ///
    /// @param state what was saved of it by an earlier run
    void begin(long epoch, @Nullable String state) {}

    /// The link that a draw takes from, or [#END]. One of [#exhausted] passes the draw over.
    abstract int choose(long epoch, long draw, WorkerSlot slot) throws InterruptedException;

    /// Whether the draws end as soon as one link has.
    boolean untilFirstEnds() {
        return false;
    }

    /// What a checkpoint keeps of the choice for a draw.
    int recorded(int choice) {
        return MixProgress.UNRECORDED;
    }

    /// The state that the choice has left, for checkpoints; null if there is none.
    @Nullable
    String written() {
        return null;
    }

    @Override
    public void work(WorkerSlot slot) throws InterruptedException {
        try {
            drawAll(slot);
        } finally {
            for (int i = 0; i < heads.length; i++) {
                Envelope left = takeHead(i);
                if (left != null) {
                    run.disposal().dispose(left);
                }
            }
        }
    }

    private void drawAll(WorkerSlot slot) throws InterruptedException {
        for (long epoch = firstEpoch; epoch < run.options().epochs(); epoch++) {
            Arrays.fill(exhausted, false);
            begin(epoch, run.ledger().startEpoch(draws, epoch));
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
            if (!mark(Envelope.epochEnd(epoch), output, slot)) {
                return;
            }
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

    /// Draws until there are no more draws; false if a link was closed.
    private boolean drawEpoch(long epoch, WorkerSlot slot) throws InterruptedException {
        while (!allExhausted() && !run.ledger().drawsEnded(draws)) {
            int choice = choose(epoch, run.ledger().nextDraw(draws), slot);
            // A policy may answer an interrupt by a choice.
            if (over || stopped()) {
                return false;
            }
            if (choice == END) {
                run.ledger().endDraws(draws);
                return true;
            }
            if (exhausted[choice]) {
                run.ledger().skipDraw(draws);
                continue;
            }
            if (head(choice, slot) != null) {
                if (!pass(choice, slot)) {
                    return false;
                }
            } else if (over) {
                return false;
            } else if (untilFirstEnds()) {
                run.ledger().endDraws(draws);
            }
        }
        return true;
    }

    /// The next item of a link, which stays; null if the link has come to the end of its epoch, or if it is
    /// [#isOver].
    final @Nullable Envelope head(int input, WorkerSlot slot) throws InterruptedException {
        if (heads[input] == null && !exhausted[input] && !over) {
            Envelope envelope = take(inputs.get(input), slot);
            if (envelope == null) {
                over = true;
            } else {
                switch (envelope.kind) {
                    case ITEM -> heads[input] = envelope;
                    case EPOCH_END -> exhausted[input] = true;
                    case END -> {
                        over = true;
                        output.mark(envelope);
                    }
                }
            }
        }
        return heads[input];
    }

    /// Whether the next item of a link was looked at.
    final boolean hasHead(int input) {
        return heads[input] != null;
    }

    /// Whether the stage has nothing more to do.
    final boolean isOver() {
        return over;
    }

    /// Takes out an item that was looked at. The caller tells the link when it is finished.
    final @Nullable Envelope takeHead(int input) {
        Envelope head = heads[input];
        heads[input] = null;
        return head;
    }

    private boolean pass(int choice, WorkerSlot slot) throws InterruptedException {
        if (!reserve(output, slot)) {
            return false;
        }
        String state = written();
        Envelope item = Objects.requireNonNull(takeHead(choice));
        Envelope drawn =
                Envelope.item(item.value, item.epoch, run.ledger().draw(draws, item.lineage, recorded(choice), state));
        drawn.bytes = item.bytes;
        passOn(drawn, fused, output, slot);
        inputs.get(choice).finished();
        return true;
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
            // The consumer may be leaving the same epoch, and not have come here yet.
            while (head(i, slot) != null) {
                Envelope unwanted = Objects.requireNonNull(takeHead(i));
                run.disposal().dispose(unwanted);
                run.ledger().leave(unwanted.lineage);
                run.budget().release(unwanted);
                inputs.get(i).finished();
            }
        }
        return !over;
    }

    @Override
    public String placement() {
        return "inline";
    }
}
