package org.jspdl.data.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.array.ArrayView;
import org.jspdl.data.loader.Collation;
import org.jspdl.data.loader.TensorBatch;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.FieldValue;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.plan.value.SameTypes;
import org.jspdl.data.storage.Location;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.SlabProvider;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.function.SampleFunctions;
import org.jspdl.plan.record.RunNotes;
import org.jspdl.plan.record.SampleOrigin;

/// `collate`: samples of the same fields become one batch; what is no tensor or number is listed.
final class Collating implements StageFunction<List<PlanSample>, TensorBatch> {
    private final BufferPool batches;
    private final BufferPool small;
    private final Set<String> padded;
    private final double padding;
    private final Optional<RunNotes> notes;
    private final SameTypes types = new SameTypes();

    private Collating(
            BufferPool batches, BufferPool small, Set<String> padded, double padding, Optional<RunNotes> notes) {
        this.batches = batches;
        this.small = small;
        this.padded = padded;
        this.padding = padding;
        this.notes = notes;
    }

    /// Batches in memory that the place offers where the plan runs.
    static Collating create(Arguments given, List<String> padded, double padding) {
        BufferPool small = given.keep(BufferPool.unbounded("small fields"));
        return new Collating(
                batches(given),
                small,
                new LinkedHashSet<>(padded),
                padding,
                given.offered(RunNotes.class).filter(RunNotes::keepsOrigins));
    }

    /// A pool for batches, kept with the plan.
    static BufferPool batches(Arguments given) {
        SlabProvider memory = given.offered(SlabProvider.class).orElse(SlabProvider.nativeMemory());
        return given.keep(BufferPool.unbounded("batches", memory));
    }

    /// What came together already.
    StageFunction<PlanSample, TensorBatch> together() {
        return batch -> {
            try (batch) {
                return apply(batch.members());
            }
        };
    }

    @Override
    public TensorBatch apply(List<PlanSample> samples) throws IOException {
        try {
            List<SampleOrigin> origins =
                    notes.isPresent() ? samples.stream().map(PlanSample::origin).toList() : List.of();
            TensorBatch batch = types.require(
                    collation(samples).apply(samples), samples.getFirst().name());
            notes.ifPresent(all -> all.made(batch, origins));
            return batch;
        } catch (UncheckedIOException missing) {
            throw missing.getCause();
        }
    }

    private Collation<PlanSample> collation(List<PlanSample> samples) throws IOException {
        Collation<PlanSample> collation = Collation.<PlanSample>in(batches).small(small);
        PlanSample first = samples.getFirst();
        FieldValue.requireOfFirst(samples, PlanSample::name);
        for (String name : padded) {
            first.value(name);
        }
        for (String name : first.namedValues().sequencedKeySet()) {
            if (padded.contains(name)) {
                collation = collation.pad(name, sample -> value(sample, name), padding);
            } else if (isListed(samples, name)) {
                collation = collation.list(name, sample -> listed(sample, name));
            } else {
                collation = collation.stack(name, sample -> value(sample, name));
            }
        }
        return collation;
    }

    private static boolean isListed(List<PlanSample> samples, String name) throws IOException {
        for (PlanSample sample : samples) {
            Object value = sample.value(name);
            if (value instanceof String || value instanceof SampleFunctions.Opaque) {
                return true;
            }
        }
        return false;
    }

    /// A value beside texts and objects of others: a number, or an array in memory that is the batch's.
    private Object listed(PlanSample sample, String name) {
        try {
            Object value = FieldValue.of(loaded(sample, name));
            return switch (value) {
                case Tensor tensor -> ArrayView.of(tensor).toTensor(small); // the sample is closed before the batch is
                case ArrayView array -> array.toTensor(small);
                default -> value;
            };
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private Object value(PlanSample sample, String name) {
        try {
            Object value = loaded(sample, name);
            return value instanceof ArrayView view ? view.toTensor(small) : value;
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /// The value of a field, the bytes of a shard as an array.
    ///
    /// @throws IOException if it is a file that no step has loaded
    static Object loaded(PlanSample sample, String name) throws IOException {
        return switch (sample.value(name)) {
            case Encoded.InFile file ->
                throw new IOException(file.location() + ": the field '" + name
                        + "' was not loaded: put a step such as load-image before, or leave it out by 'keep'");
            case Encoded.InMemory(var bytes) -> ArrayView.of(ElementType.UINT8, Shape.of(bytes.byteSize()), bytes);
            case Object other -> other;
        };
    }
}
