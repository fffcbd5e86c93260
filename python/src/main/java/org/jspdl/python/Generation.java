package org.jspdl.python;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspdl.memory.SlabProvider;
import org.jspdl.observe.live.Live;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.Ticket;
import org.jspdl.pipeline.mixture.LiveMixture;
import org.jspdl.plan.ClassNames;
import org.jspdl.plan.CompiledPlan;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.SkipList;
import org.jspdl.plan.record.SkippedSamples;
import org.jspdl.python.function.PythonFunctions;
import org.jspdl.python.ring.PrefetchLimit;

/// One run of the plan, from its start or from a restart on, with the tickets of what the trainer may have taken.
///
/// Closing ends the run at once; what the plan holds open is closed when the trainer has let go of its last item.
/// Started, used and closed by one thread; [#checkpoint], [#taken] and [#letGo] may be called from any.
final class Generation implements AutoCloseable {
    private final long number;
    private final CompiledPlan plan;
    private final List<List<String>> classes;
    private final Run<?> run;
    private final Optional<Long> epochs;
    private final ConcurrentSkipListMap<Long, Ticket> tickets = new ConcurrentSkipListMap<>();
    private final PrefetchLimit credit;
    private final Optional<Tracing> tracing;
    private final Optional<Recording> recording;
    private final boolean leavesOut;
    private int out = 1; // the run itself counts

    private Generation(
            long number,
            CompiledPlan plan,
            List<List<String>> classes,
            Run<?> run,
            Optional<Long> epochs,
            PrefetchLimit credit,
            Optional<Tracing> tracing,
            Optional<Recording> recording,
            boolean leavesOut) {
        this.number = number;
        this.plan = plan;
        this.classes = classes;
        this.run = run;
        this.epochs = epochs;
        this.credit = credit;
        this.tracing = tracing;
        this.recording = recording;
        this.leavesOut = leavesOut;
        tickets.put(0L, run.ticket());
    }

    /// Compiles the plan and starts a run.
    ///
    /// @param from where to go on; empty for the beginning
    /// @throws org.jspdl.plan.PlanException if the plan cannot be used
    /// @throws IllegalArgumentException if `from` is of another plan
    static Generation start(
            long number,
            Settings settings,
            SharedSlots ring,
            PythonFunctions functions,
            Consumer<FailedItem> failures,
            Optional<Checkpoint> from)
            throws IOException {
        Plan text = settings.plan().isPresent()
                ? Plan.of(settings.name(), settings.plan().get())
                : Plan.read(settings.folder().resolve(settings.name()));
        Operations operations = Operations.installed();
        List<List<String>> classes = new ArrayList<>();
        PlanContext context = PlanContext.in(settings.folder())
                .quarantine(failures)
                .offer(SlabProvider.class, ring)
                .offer(ClassNames.class, classes::add)
                .rank(settings.rank(), settings.worldSize());
        SkipList leftOut = Recording.leftOut(settings);
        SkippedSamples skipped = new SkippedSamples(leftOut.samples());
        context = context.offer(SkippedSamples.class, skipped);
        context = functions.isEmpty() ? context : context.offer(SampleFunctions.class, functions);
        RunNotes notes = RunNotes.ofData();
        context = settings.record().isPresent() ? context.offer(RunNotes.class, notes) : context;
        CompiledPlan plan = text.compile(operations, context);
        Optional<Recording> recording = Optional.empty();
        try {
            skipped.requireFound();
            RunOptions options = plan.options();
            Optional<Long> epochs = epochs(settings, options);
            options = options.epochs(epochs.orElse(Long.MAX_VALUE));
            options = settings.seed().isPresent() ? options.seed(settings.seed().getAsLong()) : options;
            options = settings.computeThreads().isPresent()
                    ? options.computeThreads(settings.computeThreads().getAsInt())
                    : options;
            options = from.isPresent() ? options.resumeFrom(from.get()) : options;
            options = options.leaveOut(leftOut.steps());
            if (settings.record().isPresent()) {
                options = notes.follow(plan.pipeline(), options);
                recording = Optional.of(Recording.begin(settings.record().get(), settings, options, notes));
            }
            Optional<Tracing> tracing = settings.trace().map(file -> Tracing.into(file, number));
            options = tracing.isPresent() ? tracing.get().on(options) : options;
            // The trainer says that it has taken a batch when it asks for the next.
            PrefetchLimit credit = PrefetchLimit.of(settings.prefetch(), ring.slots() / 2);
            Run<?> run = plan.pipeline().start(Live.on(options));
            LiveMixture.watch(run);
            if (settings.oneBudget()) {
                credit.confines(run::confine);
            }
            return new Generation(
                    number,
                    plan,
                    classes,
                    run,
                    epochs,
                    credit,
                    tracing,
                    recording,
                    !options.leftOut().isEmpty());
        } catch (Throwable failure) {
            recording.ifPresent(Recording::close);
            plan.close();
            throw failure;
        }
    }

    /// A plan that says 1, or nothing, is run for as many epochs as the trainer asks for.
    private static Optional<Long> epochs(Settings settings, RunOptions options) {
        if (settings.epochs().isPresent()) {
            return Optional.of(settings.epochs().getAsLong());
        }
        return options.epochs() == 1 ? Optional.empty() : Optional.of(options.epochs());
    }

    long number() {
        return number;
    }

    CompiledPlan plan() {
        return plan;
    }

    Run<?> run() {
        return run;
    }

    /// What the labels stand for; empty if no source says, or if sources differ.
    List<String> classes() {
        return classes.stream().distinct().count() == 1 ? classes.getFirst() : List.of();
    }

    PrefetchLimit credit() {
        return credit;
    }

    /// The epochs of the run; empty if there is no end.
    Optional<Long> epochs() {
        return epochs;
    }

    /// Whether there are steps that the trainer does not want, so that not all epochs have equally many.
    boolean leavesOut() {
        return leavesOut;
    }

    /// Records `item`, which was delivered last and is not handed out yet, if that is wanted; called by the run's
    /// consumer.
    void record(Object item) {
        recording.ifPresent(record -> record.delivered(run, item));
    }

    /// Marks what was delivered last as the event `event`; called by the run's consumer.
    void mark(long event) {
        tickets.put(event, run.ticket());
    }

    /// The trainer has taken everything up to `event`.
    void taken(long event) {
        credit.taken(event);
    }

    /// Nobody will ask for a state before `event`.
    void delivered(long event) {
        tickets.headMap(event).clear();
    }

    /// Where a run goes on that has delivered everything up to `event` and nothing else.
    ///
    /// @throws IllegalStateException if the run can't be resumed
    Checkpoint checkpoint(long event) {
        Map.Entry<Long, Ticket> ticket = tickets.floorEntry(event);
        if (ticket == null || ticket.getKey() != event) {
            throw new IllegalStateException("there is no mark of batch " + event + " any more");
        }
        return run.checkpoint(ticket.getValue());
    }

    /// Where a run goes on that has delivered what `ticket` marks and nothing else.
    ///
    /// @throws IllegalStateException if the run can't be resumed
    Checkpoint checkpoint(Ticket ticket) {
        return run.checkpoint(ticket);
    }

    /// Counts an item that the trainer will let go of.
    synchronized void handedOut() {
        out++;
    }

    /// The trainer has let go of an item, which was closed.
    void letGo() {
        boolean last;
        synchronized (this) {
            last = --out == 0;
        }
        if (last) {
            plan.close();
        }
    }

    @Override
    public void close() {
        try {
            run.close();
            tracing.ifPresent(Tracing::write);
            recording.ifPresent(Recording::close);
        } finally {
            letGo();
        }
    }
}
