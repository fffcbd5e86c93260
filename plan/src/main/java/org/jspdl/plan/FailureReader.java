package org.jspdl.plan;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.PlanKeywords;

/// Reads failure policies.
///
/// @param reader where errors go
record FailureReader(NodeReader reader) {
    private static final int MOST_ATTEMPTS = 1_000_000;

    /// The policy among `fields`, if there is one.
    Optional<FailurePolicy> policy(Map<String, Field> fields) {
        Field field = fields.get(PlanKeywords.FAILURE);
        if (field == null) {
            return Optional.empty();
        }
        if (field.value() instanceof Text text && text.value().equals("fail-fast")) {
            return Optional.of(FailurePolicy.failFast());
        }
        if (!(field.value() instanceof Fields)) {
            reader.error(
                    field.value().location(),
                    "'failure' must be fail-fast, or a map with max-failures, max-failure-rate or max-attempts, but was "
                            + field.value().description());
            return Optional.empty();
        }
        return Optional.of(policyOf(reader.fields(field, "'failure'", PlanKeywords.OF_FAILURE)));
    }

    private FailurePolicy policyOf(Map<String, Field> fields) {
        Optional<Long> failures = reader.value(fields, PlanKeywords.MAX_FAILURES, ValueType.whole(0, Long.MAX_VALUE));
        Optional<Double> rate = reader.value(fields, PlanKeywords.MAX_FAILURE_RATE, ValueType.share());
        Optional<Long> minCalls = reader.value(fields, PlanKeywords.MIN_CALLS, ValueType.whole(1, Long.MAX_VALUE));
        if (failures.isPresent() && rate.isPresent()) {
            error(
                    fields,
                    PlanKeywords.MAX_FAILURE_RATE,
                    "'failure' has either 'max-failures' or 'max-failure-rate', not both");
        }
        if (!fields.containsKey(PlanKeywords.MAX_FAILURE_RATE)) {
            error(fields, PlanKeywords.MIN_CALLS, "'min-calls' belongs to 'max-failure-rate'");
        }
        if (!fields.containsKey(PlanKeywords.MAX_ATTEMPTS)) {
            error(fields, PlanKeywords.BACKOFF, "'backoff' belongs to 'max-attempts'");
        }
        FailurePolicy base = rate.map(
                        value -> FailurePolicy.skipRate(value, minCalls.orElse(FailurePolicy.DEFAULT_MIN_CALLS)))
                .or(() -> failures.map(FailurePolicy::skip))
                .orElse(FailurePolicy.failFast());
        Optional<Duration> backoff = reader.value(fields, PlanKeywords.BACKOFF, ValueType.duration());
        return reader.value(fields, PlanKeywords.MAX_ATTEMPTS, ValueType.count(2, MOST_ATTEMPTS))
                .map(attempts -> base.retry(attempts, backoff.orElse(Duration.ZERO)))
                .orElse(base);
    }

    private void error(Map<String, Field> fields, String name, String message) {
        Field field = fields.get(name);
        if (field != null) {
            reader.error(field.location(), message);
        }
    }
}
