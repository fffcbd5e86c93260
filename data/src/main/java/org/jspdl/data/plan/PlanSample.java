package org.jspdl.data.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspdl.data.image.ImageSample;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.NamedValues;
import org.jspdl.plan.record.SampleOrigin;

/// One sample on its way through a plan: named values, and the memory that they lie in.
///
/// A value is an [Encoded] file, a tensor, a number, a text, or an array of numbers. Owned by one step at a time, which
/// changes it and hands it on.
final class PlanSample implements NamedValues, AutoCloseable {
    private final String name;
    private final String file;
    private final Map<String, String> details = new LinkedHashMap<>(2);
    private final SequencedMap<String, Object> values = new LinkedHashMap<>();
    private final List<AutoCloseable> owned = new ArrayList<>(2);

    /// @param name what it is called in messages
    /// @param file the file or shard that it is read from
    PlanSample(String name, String file) {
        this.name = name;
        this.file = file;
    }

    /// A decoded image as a sample, which owns it.
    static PlanSample of(ImageSample image) {
        return new PlanSample(image.name(), image.name()).become(image.fields()).owning(image);
    }

    /// Keeps a detail of its origin.
    PlanSample noting(String detail, String value) {
        details.put(detail, value);
        return this;
    }

    /// What it was made from, as far as it has come.
    SampleOrigin origin() {
        return new SampleOrigin(name, file, details);
    }

    String name() {
        return name;
    }

    PlanSample with(String field, Object value) {
        values.put(field, value);
        return this;
    }

    /// Has `resource` closed with the sample.
    PlanSample owning(AutoCloseable resource) {
        owned.add(resource);
        return this;
    }

    /// Closes what it owns, which no field needs any more.
    PlanSample disowning() {
        close();
        return this;
    }

    /// Has these fields and no others from here on; the memory of those before stays until the sample is closed.
    PlanSample become(SequencedMap<String, Object> fields) {
        values.clear();
        values.putAll(fields);
        return this;
    }

    /// The first field that there is of `candidates`.
    ///
    /// @throws IOException if there is none; the message says which there are
    String firstOf(List<String> candidates) throws IOException {
        for (String candidate : candidates) {
            if (values.containsKey(candidate)) {
                return candidate;
            }
        }
        throw new IOException(name + ": there is no field '" + String.join("' or '", candidates) + "', only "
                + values.sequencedKeySet());
    }

    /// The value of a field.
    ///
    /// @throws IOException if there is no such field
    Object value(String field) throws IOException {
        return Objects.requireNonNull(values.get(firstOf(List.of(field))));
    }

    /// Takes a field away; its memory stays until the sample is closed.
    Object take(String field) throws IOException {
        Object value = value(field);
        values.remove(field);
        return value;
    }

    /// Takes all fields away but those of `names`, which come in this order.
    PlanSample keep(List<String> names) throws IOException {
        SequencedMap<String, Object> kept = new LinkedHashMap<>();
        for (String field : names) {
            kept.put(field, value(field));
        }
        values.clear();
        values.putAll(kept);
        return this;
    }

    @Override
    public SequencedMap<String, ?> namedValues() {
        return values;
    }

    @Override
    public void close() {
        List<AutoCloseable> closing = List.copyOf(owned);
        owned.clear();
        Closeables.closeAll(closing);
    }

    @Override
    public String toString() {
        return name;
    }
}
