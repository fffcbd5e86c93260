package org.jspdl.pipeline.internal.join;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspdl.pipeline.internal.lineage.ElementBatch;
import org.jspdl.pipeline.internal.lineage.FailureCount;
import org.jspdl.pipeline.internal.lineage.Lineage;
import org.jspdl.pipeline.internal.link.Disposer;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspecify.annotations.Nullable;

/// A batch whose elements are on their way through sub-chains, each with its place. Elements that fail or are filtered
/// leave no gap.
final class Assembly implements ElementBatch {
    private final Lineage whole;
    final long epoch;
    /// The batch without its elements; null for a mark.
    final @Nullable Envelope batch;

    final @Nullable Envelope mark;
    private final AtomicReferenceArray<Object> values;
    private final AtomicInteger missing;
    private final List<FailureCount> failures = new ArrayList<>(0);
    private final Runnable onWhole;

    Assembly(Envelope batch, int size, Runnable onWhole) {
        this.whole = batch.lineage;
        this.epoch = batch.epoch;
        this.batch = batch;
        batch.value = null;
        this.mark = null;
        this.values = new AtomicReferenceArray<>(size);
        this.missing = new AtomicInteger(size);
        this.onWhole = onWhole;
    }

    /// A mark among batches; nobody asks what it comes from.
    @SuppressWarnings("NullAway")
    Assembly(Envelope mark) {
        this.whole = null;
        this.epoch = mark.epoch;
        this.batch = null;
        this.mark = mark;
        this.values = new AtomicReferenceArray<>(0);
        this.missing = new AtomicInteger();
        this.onWhole = () -> {};
    }

    @Override
    public Lineage whole() {
        return whole;
    }

    @Override
    public void set(int index, Object value) {
        values.set(index, value);
        missing(index);
    }

    @Override
    public @Nullable Object remove(int index) {
        return values.getAndSet(index, null);
    }

    @Override
    public void failed(FailureCount count) {
        failures.add(count);
    }

    /// What the whole batch comes from; asked for when it is whole.
    Lineage lineage() {
        return failures.isEmpty() ? whole : new Lineage.Thinned(whole, failures);
    }

    @Override
    public void missing(int index) {
        if (missing.decrementAndGet() == 0) {
            onWhole.run();
        }
    }

    boolean isWhole() {
        return missing.get() == 0;
    }

    /// Closes every element that is there, and forgets the batch.
    void dispose(Disposer disposal) {
        removeAll().forEach(disposal::dispose);
        if (batch != null) {
            disposal.dispose(batch);
        }
    }

    /// Takes out every element that is there, in their order.
    List<Object> removeAll() {
        List<Object> list = new ArrayList<>(values.length());
        for (int i = 0; i < values.length(); i++) {
            Object value = remove(i);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }
}
