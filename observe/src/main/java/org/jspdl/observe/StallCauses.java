package org.jspdl.observe;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.observe.text.Figures;

/// What stalls have in common.
final class StallCauses {
    private StallCauses() {}

    /// Where most of the time of `stalls` went, such as `80 % of the longest stalls in 'read'`; empty without
    /// stalls.
    static String words(List<Stall> stalls) {
        Map<String, Duration> times = new HashMap<>();
        Duration all = Duration.ZERO;
        for (Stall stall : stalls) {
            for (Stall.Cause cause : stall.causes()) {
                String where = (cause.kind() == Stall.Kind.QUEUED ? "queued for '" : "in '") + cause.stage() + "'";
                times.merge(where, cause.time(), Duration::plus);
                all = all.plus(cause.time());
            }
        }
        Duration whole = all;
        return times.entrySet().stream()
                .max(Map.Entry.<String, Duration>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(most -> Figures.share(ReportSections.ratio(most.getValue(), whole)) + " of the longest stalls "
                        + most.getKey())
                .orElse("");
    }
}
