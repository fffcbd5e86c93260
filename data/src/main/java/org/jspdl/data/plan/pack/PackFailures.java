package org.jspdl.data.plan.pack;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.data.shards.pack.PackException;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Pipelines;
import org.jspdl.pipeline.StagePart;

/// Whether a plan's failure policies allow what failed in a whole job: each stage by its own policy, else by the
/// plan's. A rate is one of all places, known when all of them were tried.
public final class PackFailures {
    private final Map<String, FailurePolicy> byStage = new HashMap<>();
    private final FailurePolicy others;
    private final long places;

    /// @param others the policy of stages that have none of their own
    /// @param places of the whole job
    public PackFailures(Pipeline<?> pipeline, FailurePolicy others, long places) {
        for (StagePart part : Pipelines.parts(pipeline)) {
            part.options().failures().ifPresent(policy -> byStage.put(part.name(), base(policy)));
        }
        this.others = base(others);
        this.places = places;
    }

    private static FailurePolicy base(FailurePolicy policy) {
        return switch (policy) {
            case FailurePolicy.Retry retry -> base(retry.base());
            case FailurePolicy.Quarantine quarantine -> base(quarantine.base());
            case FailurePolicy.FailFast _, FailurePolicy.SkipCount _, FailurePolicy.SkipRate _ -> policy;
        };
    }

    /// Whether so many may fail.
    ///
    /// @param failures in the order of their places
    /// @param whole    whether these are all failures of the job
    /// @throws PackException if they are too many; the message names the stage and the first
    public void check(List<FailedItem> failures, boolean whole) throws PackException {
        Map<String, Long> counts = new TreeMap<>();
        failures.forEach(item -> counts.merge(item.stage(), 1L, Long::sum));
        for (Map.Entry<String, Long> each : counts.entrySet()) {
            long failed = each.getValue();
            String allowed = switch (byStage.getOrDefault(each.getKey(), others)) {
                case FailurePolicy.SkipCount(long limit)
                when failed > limit -> String.format(Locale.ROOT, "max-failures: %,d allows", limit);
                case FailurePolicy.SkipRate(double rate, long calls)
                when whole && places >= calls && failed > rate * places ->
                    String.format(Locale.ROOT, "max-failure-rate: %s allows of %,d places", rate, places);
                case FailurePolicy.FailFast _ -> "the plan, which allows none";
                default -> "";
            };
            if (!allowed.isEmpty()) {
                FailedItem first = failures.stream()
                        .filter(item -> item.stage().equals(each.getKey()))
                        .findFirst()
                        .orElseThrow();
                throw new PackException(String.format(
                        Locale.ROOT,
                        "stage '%s' failed %,d times, more than %s; first at place %,d (%s): %s",
                        each.getKey(),
                        failed,
                        allowed,
                        first.position().index(),
                        first.input(),
                        first.cause().getMessage()));
            }
        }
    }
}
