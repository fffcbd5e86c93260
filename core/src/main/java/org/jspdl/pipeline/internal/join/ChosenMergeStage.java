package org.jspdl.pipeline.internal.join;

import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspdl.pipeline.GathererState;
import org.jspdl.pipeline.MergeInputs;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.checkpoint.RunState.MixState;
import org.jspdl.pipeline.internal.failure.Descriptions;
import org.jspdl.pipeline.internal.lineage.MixProgress;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.link.Link;
import org.jspdl.pipeline.internal.recipe.Recipe;
import org.jspdl.pipeline.internal.recipe.Recipe.MergePolicy;
import org.jspdl.pipeline.internal.stage.RunContext;
import org.jspdl.pipeline.internal.stage.Stage;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspecify.annotations.Nullable;

/// Takes from several links in an order that code of the user's chooses.
///
/// A checkpoint keeps what was chosen for the draws whose items are not settled, and the state that the last choice has
/// left. So a resumed run repeats the former and goes on from the latter.
public final class ChosenMergeStage extends SelectingStage {
    /// Stands for no link.
    private static final int NONE = -1;

    private final MergePolicy.Chosen policy;
    private final GathererState.@Nullable Saved<Object> saved;
    private final View view = new View();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    /// Whether the policy waits for an item of any link.
    private volatile boolean awaitsAny;
    private Object state;

    /// @param resumed the draws of an earlier run
    /// @throws IllegalArgumentException if they can't be those of this merge
    @SuppressWarnings("unchecked") // the compiler checked the state's type where the policy was given
    public ChosenMergeStage(
            RunContext run,
            String name,
            MergePolicy.Chosen policy,
            MixProgress draws,
            List<MixState> resumed,
            long firstEpoch,
            List<Recipe.FusedStep> fused,
            List<Link> inputs,
            Link output) {
        super(run, name, draws, firstEpoch, fused, inputs, output);
        this.policy = policy;
        this.saved =
                policy.saving() instanceof GathererState.Saved<?> format ? (GathererState.Saved<Object>) format : null;
        this.state = "";
        for (MixState epoch : resumed) {
            read(epoch.text());
            epoch.choices().stream().filter(choice -> choice >= inputs.size()).forEach(choice -> {
                throw new IllegalArgumentException("not a checkpoint: stage '" + name + "' has " + inputs.size()
                        + " inputs, and none of number " + choice);
            });
        }
    }

    /// The state from its text; null for that at the start of an epoch.
    private @Nullable Object read(@Nullable String text) {
        if (saved == null || text == null) {
            return null;
        }
        try {
            return Stage.checked(saved.read().apply(text));
        } catch (RuntimeException refused) {
            throw new IllegalArgumentException(
                    "stage '" + name + "' can't read its state from the checkpoint: " + refused.getMessage(), refused);
        }
    }

    @Override
    void begin(long epoch, @Nullable String text) {
        Object restored = read(text);
        state = restored == null ? Stage.checked(policy.start().get()) : restored;
        view.epoch = epoch;
    }

    @Override
    int recorded(int choice) {
        return choice;
    }

    @Override
    @Nullable
    String written() {
        if (saved == null) {
            return null;
        }
        try {
            return (String) Stage.checked(saved.write().apply(state));
        } catch (RuntimeException failure) {
            throw new PipelineException(
                    name, "stage '" + name + "' can't write its state: " + failure.getMessage(), failure);
        }
    }

    @Override
    int choose(long epoch, long draw, WorkerSlot slot) throws InterruptedException {
        int before = run.ledger().recordedChoice(draws);
        if (before != MixProgress.UNRECORDED) {
            return before;
        }
        // Nothing is wanted of an epoch that was left, and its ends would surprise a policy that sees none.
        while (!isOver() && !output.isLeft(epoch)) {
            int choice = ask(draw, slot);
            if (choice != View.FAILED) {
                return choice == END ? END : withItems(choice, slot);
            }
        }
        return END;
    }

    /// The link chosen, or if that has come to its end the next that has not.
    private int withItems(int choice, WorkerSlot slot) throws InterruptedException {
        for (int i = 0; i < exhausted.length; i++) {
            int at = (choice + i) % exhausted.length;
            if (head(at, slot) != null || isOver()) {
                return at;
            }
        }
        return END;
    }

    /// Asks the policy; [View#FAILED] if its failure was skipped, [#END] also if the stage is to end.
    private int ask(long draw, WorkerSlot slot) throws InterruptedException {
        int choice = END;
        Throwable failure = null;
        view.open(draw, slot);
        slot.enter(WorkerSlot.State.BUSY, System.nanoTime());
        try {
            choice = policy.choice().next(state, view);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
            view.slot = null;
        }
        guard().forgetInterrupt();
        InterruptedException interrupted = view.interrupted;
        if (interrupted != null) {
            throw interrupted;
        }
        if (isOver() || output.isLeft(view.epoch)) {
            return END;
        }
        if (failure != null) {
            skip(failure, slot);
            return View.FAILED;
        }
        if (choice < END || choice >= exhausted.length) {
            throw new PipelineException(
                    name,
                    describe("its policy chose pipeline " + choice + " of " + exhausted.length
                            + ", counted from 0; MergePolicy.END, " + END + ", ends the epoch"),
                    null);
        }
        guard().succeeded();
        return choice;
    }

    private String describe(String what) {
        return "pipeline '" + run.pipeline() + "', stage '" + name + "': " + what;
    }

    /// A link calls it after every put and mark.
    @Override
    public void inputReady() {
        if (awaitsAny) {
            lock.lock();
            try {
                arrived.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Those that have come to the end of the epoch are not waited for. Asked while the thread that knows them
    /// waits.
    @Override
    public boolean awaits(Link input) {
        return awaitsAny ? !exhausted[inputs.indexOf(input)] && !isThere() : super.awaits(input);
    }

    /// Whether a link has something that was not looked at.
    private boolean isThere() {
        for (Link input : inputs) {
            if (input.available() > 0) {
                return true;
            }
        }
        return false;
    }

    private void awaitAny(WorkerSlot slot) throws InterruptedException {
        slot.enter(WorkerSlot.State.STARVED, System.nanoTime());
        lock.lockInterruptibly();
        try {
            // Before it is looked at what is there: who puts something looks at this afterwards.
            awaitsAny = true;
            if (!isThere()) {
                slot.parks(this::isThere);
                try {
                    while (!isThere() && !stopped()) {
                        arrived.await();
                    }
                } finally {
                    slot.resumes();
                }
            }
        } finally {
            awaitsAny = false;
            lock.unlock();
            slot.enter(WorkerSlot.State.ENGINE, System.nanoTime());
        }
    }

    /// Applies the failure policy to the item that the policy has looked at last.
    private void skip(Throwable failure, WorkerSlot slot) throws InterruptedException {
        int looked = view.looked;
        Envelope item = looked == NONE ? null : takeHead(looked);
        if (item == null) {
            throw new PipelineException(
                    name, describe("its policy failed: " + Descriptions.withClass(failure)), failure);
        }
        failed(item, item.value, failure, slot);
        inputs.get(looked).finished();
        if (isInVain()) {
            // The inputs of a stage that failed are at their end.
            while (head(looked, slot) != null) {
                run.disposal().dispose(Objects.requireNonNull(takeHead(looked)));
                inputs.get(looked).finished();
            }
        }
    }

    /// What a policy sees while it is asked.
    private final class View implements MergeInputs<Object> {
        static final int FAILED = -2;

        /// Ends a call of the policy that nobody waits for; nothing outside sees it.
        private static final class Over extends RuntimeException {
            private static final long serialVersionUID = 1;

            Over() {
                super("the run has ended", null, false, false);
            }
        }

        private long epoch;
        private long taken;
        private int looked;
        private @Nullable WorkerSlot slot;
        private @Nullable InterruptedException interrupted;

        void open(long newTaken, WorkerSlot newSlot) {
            taken = newTaken;
            looked = NONE;
            slot = newSlot;
        }

        @Override
        public int count() {
            return exhausted.length;
        }

        @Override
        public long epoch() {
            return epoch;
        }

        @Override
        public long taken() {
            return taken;
        }

        @Override
        public boolean hasNext(int input) {
            return find(input) != null;
        }

        @Override
        public boolean isReady(int input) {
            return isKnown(input) && find(input) != null;
        }

        /// Whether it is known without waiting what comes next.
        private boolean isKnown(int input) {
            return exhausted[input] || hasHead(input) || inputs.get(input).available() > 0;
        }

        @Override
        public int awaitAny() {
            while (true) {
                boolean left = false;
                for (int i = 0; i < exhausted.length; i++) {
                    if (isReady(i)) {
                        return i;
                    }
                    left |= !exhausted[i];
                }
                if (!left) {
                    return END;
                }
                await();
            }
        }

        private void await() {
            try {
                ChosenMergeStage.this.awaitAny(asked());
            } catch (InterruptedException stop) {
                throw over(stop);
            }
        }

        private Over over(InterruptedException stop) {
            interrupted = stop;
            return new Over();
        }

        private WorkerSlot asked() {
            WorkerSlot asked = slot;
            if (asked == null) {
                throw new IllegalStateException("stage '" + name + "' is not asking its policy");
            }
            return asked;
        }

        @Override
        public Object peek(int input) {
            Envelope found = find(input);
            if (found == null) {
                throw new NoSuchElementException(
                        "pipeline " + input + " of stage '" + name + "' has no more items in epoch " + epoch);
            }
            looked = input;
            return found.value;
        }

        private @Nullable Envelope find(int input) {
            Objects.checkIndex(input, exhausted.length);
            WorkerSlot asked = asked();
            try {
                Envelope found = head(input, asked);
                asked.enter(WorkerSlot.State.BUSY, System.nanoTime());
                if (isOver()) {
                    throw new Over();
                }
                return found;
            } catch (InterruptedException stop) {
                throw over(stop);
            }
        }
    }
}
