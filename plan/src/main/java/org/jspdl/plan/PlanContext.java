package org.jspdl.plan;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.FailurePolicy;

/// What a plan does not say, because it differs from place to place. Immutable.
public final class PlanContext {
    private final Path folder;
    private final Optional<Consumer<? super FailedItem>> quarantine;
    private final Map<Class<?>, Object> offers;

    private PlanContext(Path folder, Optional<Consumer<? super FailedItem>> quarantine, Map<Class<?>, Object> offers) {
        this.folder = folder;
        this.quarantine = quarantine;
        this.offers = Map.copyOf(offers);
    }

    /// The plan's relative paths begin at `folder`.
    public static PlanContext in(Path folder) {
        return new PlanContext(folder, Optional.empty(), Map.of());
    }

    /// Tells `recorder` of every item that any stage skips, on the thread where it failed.
    public PlanContext quarantine(Consumer<? super FailedItem> recorder) {
        return new PlanContext(folder, Optional.of(recorder), offers);
    }

    /// Offers `value` to every operation that asks for a `type` by [Arguments#offered], such as the memory that
    /// batches are to be made in. It stays the caller's, and outlives the compiled plan.
    public <T> PlanContext offer(Class<T> type, T value) {
        Map<Class<?>, Object> more = new HashMap<>(offers);
        more.put(type, value);
        return new PlanContext(folder, quarantine, more);
    }

    /// The same, with `recorder` told as well.
    PlanContext recording(Consumer<? super FailedItem> recorder) {
        return quarantine(quarantine
                .<Consumer<? super FailedItem>>map(before -> item -> {
                    before.accept(item);
                    recorder.accept(item);
                })
                .orElse(recorder));
    }

    Path folder() {
        return folder;
    }

    Map<Class<?>, Object> offers() {
        return offers;
    }

    UnaryOperator<FailurePolicy> finish() {
        return policy -> quarantine.isPresent() ? policy.quarantine(quarantine.get()) : policy;
    }
}
