package org.jspdl.data.loader;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.StageFunction;
import org.jspecify.annotations.Nullable;

/// Makes one batch of several samples: each field becomes a tensor with a row for each sample, in memory of a pool.
/// Immutable, and safe for use by several threads.
///
/// What a sample holds is copied once, to where the batch has it. A field may be a [Tensor], an array of numbers, or a
/// number; anything else is kept in lists. The tensors of a sample, and the sample if it is `AutoCloseable`, are closed
/// when they have been copied. Listed values belong to the batch, which closes those that are `AutoCloseable`.
///
/// ```java
/// record Sample(Tensor image, int[] tokens, int label) {}
///
/// Collation<Sample> collation = Collation.<Sample>in(pool)
///         .stack("image", Sample::image)
///         .pad("tokens", Sample::tokens, 0)
///         .stack("label", Sample::label);
/// ```
public final class Collation<T> implements StageFunction<List<T>, TensorBatch> {
    /// Tensors of fewer bytes are small.
    private static final long SMALL_BYTES = 1 << 16;

    private final BufferPool pool;
    private final BufferPool small;
    private final List<Field<T>> fields;

    /// One field of the samples.
    ///
    /// @param padding how rows of different shapes are filled up; they are refused if there is none
    private record Field<T>(String name, Function<? super T, ?> value, Padding padding, boolean listed) {}

    private Collation(BufferPool pool, BufferPool small, List<Field<T>> fields) {
        this.pool = pool;
        this.small = small;
        this.fields = fields;
    }

    /// A collation without fields, into memory from `pool`, which stays the caller's.
    public static <T> Collation<T> in(BufferPool pool) {
        return new Collation<>(pool, pool, List.of());
    }

    /// The same with tensors of less than 64 KiB in memory from `other`, where the pool's pieces are large.
    public Collation<T> small(BufferPool other) {
        return new Collation<>(pool, other, fields);
    }

    /// A field for each component of a record: what can be a tensor is stacked, everything else listed.
    public static <T extends Record> Collation<T> ofRecord(Class<T> type, BufferPool pool) {
        Collation<T> collation = in(pool);
        for (RecordComponent component : type.getRecordComponents()) {
            component.getAccessor().trySetAccessible();
            Function<T, Object> value = sample -> read(component, sample);
            collation = Rows.isTensor(component.getType())
                    ? collation.stack(component.getName(), value)
                    : collation.list(component.getName(), value);
        }
        return collation;
    }

    private static Object read(RecordComponent component, Object sample) {
        try {
            return component.getAccessor().invoke(sample);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalArgumentException(
                    "component '" + component.getName() + "' of "
                            + component.getDeclaringRecord().getName()
                            + " can't be read; open its package to org.jspdl.data, or name the fields by stack(..)",
                    failure);
        }
    }

    /// Adds a field whose values all have one shape.
    public Collation<T> stack(String field, Function<? super T, ?> value) {
        return with(new Field<>(field, value, Padding.NONE, false));
    }

    /// Adds a field whose values are filled up with `padding` to the largest extents in the batch. A batch is
    /// refused if elements of its type can't be `padding`, as unsigned ones can't be -100.
    public Collation<T> pad(String field, Function<? super T, ?> value, double padding) {
        return pad(field, value, padding, 1);
    }

    /// As [#pad(String, Function, double)], with the outermost extent rounded up to a multiple of `multiple`.
    public Collation<T> pad(String field, Function<? super T, ?> value, double padding, int multiple) {
        if (multiple < 1) {
            throw new IllegalArgumentException("multiple must be at least 1 but was " + multiple);
        }
        return with(new Field<>(field, value, new Padding(padding, multiple), false));
    }

    /// Adds a field whose values are kept as they are, in a list.
    public Collation<T> list(String field, Function<? super T, ?> value) {
        return with(new Field<>(field, value, Padding.NONE, true));
    }

    private Collation<T> with(Field<T> field) {
        if (fields.stream().anyMatch(each -> each.name.equals(field.name))) {
            throw new IllegalArgumentException("there is a field '" + field.name + "' already");
        }
        List<Field<T>> more = new ArrayList<>(fields);
        more.add(field);
        return new Collation<>(pool, small, List.copyOf(more));
    }

    /// The batch of `samples`, owned by the caller; the samples are used up, also by a failure.
    ///
    /// @throws IllegalArgumentException if the values of a field don't fit together; the message names field and
    ///     sample
    @Override
    public TensorBatch apply(List<T> samples) {
        List<List<Object>> columns = new ArrayList<>(fields.size());
        TensorBatch batch = null;
        try {
            read(samples, columns);
            batch = collated(samples.size(), columns);
        } finally {
            closeUsed(samples, columns, batch);
        }
        return batch;
    }

    /// Adds the values of each field, sample by sample. A field that fails does not keep the others from being
    /// read, because values that nobody has read cannot be closed.
    private void read(List<T> samples, List<List<Object>> columns) {
        RuntimeException failed = null;
        for (Field<T> field : fields) {
            List<Object> values = new ArrayList<>(samples.size());
            columns.add(values);
            for (T sample : samples) {
                try {
                    values.add(field.value.apply(sample));
                } catch (RuntimeException failure) {
                    failed = failed == null ? failure : failed;
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private TensorBatch collated(int size, List<List<Object>> columns) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        Map<String, List<?>> lists = new LinkedHashMap<>();
        Map<String, long[]> lengths = new LinkedHashMap<>();
        try {
            for (int i = 0; i < columns.size(); i++) {
                Field<T> field = fields.get(i);
                if (field.listed) {
                    lists.put(field.name, Collections.unmodifiableList(columns.get(i)));
                    continue;
                }
                Rows rows = Rows.of(field.name, columns.get(i), field.padding);
                tensors.put(field.name, rows.write(rows.byteSize() < SMALL_BYTES ? small : pool));
                if (field.padding != Padding.NONE) {
                    lengths.put(field.name, rows.lengths());
                }
            }
            return TensorBatch.owning(size, tensors, lists, lengths);
        } catch (Throwable failure) {
            tensors.values().forEach(Tensor::close);
            throw failure;
        }
    }

    /// Closes the samples and those of their values that `batch` does not own; that is all where there is no batch.
    private void closeUsed(List<T> samples, List<List<Object>> columns, @Nullable TensorBatch batch) {
        List<Object> used = new ArrayList<>(samples);
        for (int i = 0; i < columns.size(); i++) {
            for (Object value : columns.get(i)) {
                if (fields.get(i).listed ? batch == null : value instanceof Tensor) {
                    used.add(value);
                }
            }
        }
        try {
            Closeables.closeItem(used);
        } catch (Throwable failure) {
            if (batch != null) {
                batch.close();
            }
            throw failure;
        }
    }
}
