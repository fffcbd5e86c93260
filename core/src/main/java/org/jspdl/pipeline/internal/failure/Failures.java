package org.jspdl.pipeline.internal.failure;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspdl.json.Json;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.internal.checkpoint.NodeRows;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.lineage.LineageNodes;
import org.jspdl.stats.SkipObserver;
import org.jspecify.annotations.Nullable;

/// What one stage does about failures: how often it calls again, whom it tells, and when it gives up.
public final class Failures {
    /// No pause before another attempt is longer, unless the policy asks for it.
    private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(30);
    private static final int DISTINCT_CAUSES = 1_000;

    private final String pipeline;
    private final String stage;
    private final FailureBudget budget;
    private final int attempts;
    private final long backoffNanos;
    private final long longestBackoffNanos;
    private final Predicate<Throwable> retryable;
    private final List<Consumer<? super FailedItem>> recorders = new ArrayList<>();
    private final List<SkipObserver> skips;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable String> first = new AtomicReference<>();

    /// @param skips those who are told of what is skipped, and what to skip again
    public Failures(
            String pipeline, String stage, FailurePolicy policy, FailureBudget budget, List<SkipObserver> skips) {
        this.skips = List.copyOf(skips);
        this.pipeline = pipeline;
        this.stage = stage;
        this.budget = budget;
        FailurePolicy.Retry outermost = new FailurePolicy.Retry(policy, 1, Duration.ZERO, failure -> false);
        boolean found = false;
        FailurePolicy layer = policy;
        while (true) {
            if (layer instanceof FailurePolicy.Retry retry) {
                // The one that was said last counts.
                outermost = found ? outermost : retry;
                found = true;
                layer = retry.base();
            } else if (layer instanceof FailurePolicy.Quarantine quarantine) {
                recorders.add(quarantine.recorder());
                layer = quarantine.base();
            } else {
                break;
            }
        }
        this.attempts = outermost.maxAttempts();
        this.backoffNanos = outermost.backoff().toNanos();
        this.longestBackoffNanos = Math.max(backoffNanos, LONGEST_BACKOFF.toNanos());
        this.retryable = outermost.retryable();
    }

    public FailureBudget budget() {
        return budget;
    }

    /// Whether the call may be repeated after `failure`. The policy's predicate may throw.
    public boolean mayRetry(Throwable failure, int attempt) {
        return attempt < attempts
                && !(failure instanceof InterruptedException)
                && !(failure instanceof Error)
                && retryable.test(failure);
    }

    /// How long to wait after call number `attempt`: the policy's pause, doubled with each call up to a bound, of
    /// which chance takes off up to a half, so that calls that failed together are not repeated together.
    public long backoffNanos(int attempt) {
        long doubled = backoffNanos;
        for (int i = 1; i < attempt && doubled < longestBackoffNanos; i++) {
            doubled = Math.min(2 * doubled, longestBackoffNanos);
        }
        return doubled < 2 ? doubled : ThreadLocalRandom.current().nextLong(doubled - doubled / 2, doubled + 1);
    }

    /// Counts a success; the exception to end the run with if too many calls had failed before the minimum of calls
    /// was over.
    @Nullable
    public PipelineException succeeded() {
        return budget.succeeded() ? tooMany(null) : null;
    }

    /// Whether an item is to be skipped without a call, as an earlier run did.
    public boolean skipsAgain(Lineage lineage) {
        if (skips.isEmpty() || !isNamed(lineage)) {
            return false;
        }
        Lineage.Origin origin = lineage.first();
        return skips.stream()
                .anyMatch(each -> each.skipsAgain(stage, origin.source, origin.epoch, origin.position.index()));
    }

    /// What an item fails with that is skipped again.
    public Exception again() {
        return new SkippedAgain();
    }

    private static final class SkippedAgain extends Exception {
        private static final long serialVersionUID = 1L;

        SkippedAgain() {
            super("it failed in the recorded run", null, false, false);
        }
    }

    private static boolean isNamed(Lineage lineage) {
        return lineage.isOfWholeItems() && !(lineage instanceof Lineage.Element);
    }

    /// Tells of an item that was skipped, and that [#skipsAgain] is asked of.
    public void tellSkipped(Lineage lineage, Throwable cause) {
        if (!skips.isEmpty() && isNamed(lineage)) {
            Lineage.Origin origin = lineage.first();
            for (SkipObserver each : skips) {
                each.skipped(stage, origin.source, origin.epoch, origin.position.index(), cause);
            }
        }
    }

    /// Counts a failure and tells the quarantine of a skipped item; the exception to end the run with, or null if
    /// the item is skipped.
    @Nullable
    public PipelineException failed(Throwable cause, @Nullable Object input, Lineage lineage) {
        Lineage.Origin origin = lineage.first();
        String where = "epoch " + origin.epoch + ", " + origin.position;
        first.compareAndSet(null, where + " — " + Descriptions.of(cause));
        boolean tooMany = budget.failed();
        if (!budget.skips()) {
            return new PipelineException(
                    stage,
                    PipelineException.Kind.FUNCTION,
                    Optional.of(place(origin)),
                    "pipeline '" + pipeline + "', stage '" + stage + "' failed at " + where + ": "
                            + Descriptions.of(cause),
                    cause);
        }
        if (cause instanceof Error) {
            return new PipelineException(
                    stage,
                    PipelineException.Kind.FUNCTION,
                    Optional.of(place(origin)),
                    "pipeline '" + pipeline + "', stage '" + stage + "' failed at " + where
                            + " with an error that no policy skips: " + Descriptions.of(cause),
                    cause);
        }
        if (tooMany) {
            return tooMany(cause);
        }
        if (recorders.isEmpty()) {
            log(where, cause);
        } else {
            NodeTable nodes = new NodeTable();
            LineageNodes.adding(nodes).number(lineage);
            List<FailedItem.Place> places = new ArrayList<>();
            nodes.forEachOrigin(each -> places.add(new FailedItem.Place(each.source(), each.epoch(), each.position())));
            String groups = nodes.hasGroups() ? Json.write(NodeRows.write(nodes)) : "";
            OptionalInt element =
                    lineage instanceof Lineage.Element part ? OptionalInt.of(part.index) : OptionalInt.empty();
            FailedItem item = new FailedItem(
                    Instant.now(), pipeline, stage, places, groups, element, Descriptions.ofValue(input), cause);
            recorders.forEach(recorder -> recorder.accept(item));
        }
        return null;
    }

    private PipelineException tooMany(@Nullable Throwable cause) {
        String message = "stage '" + stage + "' stopped pipeline '" + pipeline + "': " + budget.verdict()
                + System.lineSeparator() + "  first failure: source position " + first.get();
        return new PipelineException(stage, PipelineException.Kind.TOO_MANY_FAILURES, Optional.empty(), message, cause);
    }

    private static FailedItem.Place place(Lineage.Origin origin) {
        return new FailedItem.Place(origin.source, origin.epoch, origin.position);
    }

    private void log(String where, Throwable cause) {
        if (logged.size() < DISTINCT_CAUSES && logged.add(Descriptions.kind(cause))) {
            System.getLogger(Failures.class.getName())
                    .log(
                            Level.WARNING,
                            "pipeline '" + pipeline + "', stage '" + stage + "' skipped the item at " + where + ": "
                                    + Descriptions.of(cause) + " (further failures of this kind are only counted)");
        }
    }
}
