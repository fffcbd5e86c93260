package org.jspdl.data.loader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.NamedValues;
import org.jspdl.memory.Tensor;

/// Fields of several samples: tensors with a row for each, and lists of what is no tensor.
///
/// A batch owns what it holds: closing it frees the memory of the tensors and closes every listed value that is
/// `AutoCloseable`, once, from any thread.
public final class TensorBatch implements AutoCloseable, Shareable<TensorBatch>, NamedValues {
    private final int size;
    private final Map<String, Tensor> tensors;
    private final Map<String, List<?>> values;
    private final Map<String, long[]> lengths;
    private final AtomicBoolean closed;

    private TensorBatch(
            int size,
            Map<String, Tensor> tensors,
            Map<String, List<?>> values,
            Map<String, long[]> lengths,
            boolean owner) {
        this.closed = new AtomicBoolean(!owner);
        this.size = size;
        this.tensors = tensors;
        this.values = values;
        this.lengths = lengths;
    }

    /// A batch that owns `tensors` and `values` from here.
    static TensorBatch owning(
            int size, Map<String, Tensor> tensors, Map<String, List<?>> values, Map<String, long[]> lengths) {
        return new TensorBatch(size, tensors, values, lengths, true);
    }

    /// How many samples there are.
    public int size() {
        return size;
    }

    /// The names of the fields that are tensors, in their order.
    public Set<String> tensors() {
        return java.util.Collections.unmodifiableSet(tensors.keySet());
    }

    /// A field that is a tensor: a view that the batch frees.
    public Tensor tensor(String field) {
        return found(tensors, field);
    }

    /// A field that is no tensor, sample by sample.
    public List<?> values(String field) {
        return found(values, field);
    }

    /// How long each sample's part of a padded field was, in its outermost dimension.
    public long[] lengths(String field) {
        return found(lengths, field);
    }

    /// The tensors, the lengths of those that were padded as `NAME_length`, and what is no tensor.
    @Override
    public SequencedMap<String, ?> namedValues() {
        SequencedMap<String, Object> all = new LinkedHashMap<>(tensors);
        lengths.forEach((field, each) -> all.putIfAbsent(field + "_length", each));
        all.putAll(values);
        return all;
    }

    private <V> V found(Map<String, V> fields, String field) {
        V value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no such field '" + field + "'; there are " + fields.keySet());
        }
        return value;
    }

    @Override
    public TensorBatch view() {
        Map<String, Tensor> views = new LinkedHashMap<>();
        tensors.forEach((name, tensor) -> views.put(name, tensor.view()));
        return new TensorBatch(size, views, values, lengths, false);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            List<Object> owned = new ArrayList<>(tensors.values());
            values.values().forEach(owned::addAll);
            Closeables.closeItem(owned);
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("batch of ").append(size);
        tensors.forEach((name, tensor) ->
                text.append(", ").append(name).append(' ').append(tensor.type()).append(tensor.shape()));
        return text.toString();
    }
}
