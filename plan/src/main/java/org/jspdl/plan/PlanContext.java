package org.jspdl.plan;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.pipeline.FailurePolicy;

/// What a plan does not say because it differs between the processes that run it. Immutable.
public final class PlanContext {
    private final Path folder;
    private final Optional<Consumer<? super FailedItem>> quarantine;
    private final Map<Class<?>, Object> offers;
    private final Optional<Rank> rank;
    private final Optional<Path> quarantineFolder;
    private final boolean recordsQuarantine;

    private PlanContext(
            Path folder,
            Optional<Consumer<? super FailedItem>> quarantine,
            Map<Class<?>, Object> offers,
            Optional<Rank> rank,
            Optional<Path> quarantineFolder,
            boolean recordsQuarantine) {
        this.quarantineFolder = quarantineFolder;
        this.recordsQuarantine = recordsQuarantine;
        this.folder = folder;
        this.quarantine = quarantine;
        this.offers = Map.copyOf(offers);
        this.rank = rank;
    }

    /// One process of several that share the items of a plan.
    record Rank(int rank, int worldSize) {
        Rank {
            if (worldSize < 1 || rank < 0 || rank >= worldSize) {
                throw new IllegalArgumentException(
                        "rank must be at least 0 and below worldSize but was " + rank + " of " + worldSize);
            }
        }

        String unlike(String reason) {
            return "this is rank " + rank + " of " + worldSize + ", but " + reason
                    + ". If that is meant, give rank 0 and world size 1, and sources their own 'rank' and 'world-size'";
        }
    }

    /// The plan's relative paths begin at `folder`.
    public static PlanContext in(Path folder) {
        return new PlanContext(folder, Optional.empty(), Map.of(), Optional.empty(), Optional.empty(), true);
    }

    /// The plan's quarantine file lies beneath `where`, instead of beneath the plan's folder.
    public PlanContext quarantineFolder(Path where) {
        return new PlanContext(folder, quarantine, offers, rank, Optional.of(where), recordsQuarantine);
    }

    /// No quarantine file is opened, whatever the plan names: who runs the plan's places in pieces, on several
    /// machines, collects what failed.
    public PlanContext withoutQuarantineFile() {
        return new PlanContext(folder, quarantine, offers, rank, quarantineFolder, false);
    }

    /// Tells `recorder` of every item that any stage skips, on the thread where it failed.
    public PlanContext quarantine(Consumer<? super FailedItem> recorder) {
        return new PlanContext(folder, Optional.of(recorder), offers, rank, quarantineFolder, recordsQuarantine);
    }

    /// Offers `value` to every operation that asks for a `type` by [Arguments#offered], such as the memory that
    /// batches are to be made in. It stays the caller's, and outlives the compiled plan.
    public <T> PlanContext offer(Class<T> type, T value) {
        Map<Class<?>, Object> more = new HashMap<>(offers);
        more.put(type, value);
        return new PlanContext(folder, quarantine, more, rank, quarantineFolder, recordsQuarantine);
    }

    /// Splits the plan's items across `worldSize` processes, of which this is number `rank` from 0: each source
    /// that is given neither of its parameters `rank` and `world-size` is given these. Of several processes, a
    /// source that lacks them, or is given one of them alone, is refused: each would load everything of it.
    public PlanContext rank(int rank, int worldSize) {
        Rank checked = new Rank(rank, worldSize);
        Optional<Rank> split = worldSize == 1 ? Optional.empty() : Optional.of(checked);
        return new PlanContext(folder, quarantine, offers, split, quarantineFolder, recordsQuarantine);
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

    Path quarantineFolder() {
        return quarantineFolder.orElse(folder);
    }

    boolean recordsQuarantine() {
        return recordsQuarantine;
    }

    Map<Class<?>, Object> offers() {
        return offers;
    }

    Optional<Rank> rank() {
        return rank;
    }

    UnaryOperator<FailurePolicy> finish() {
        return policy -> quarantine.isPresent() ? policy.quarantine(quarantine.get()) : policy;
    }
}
