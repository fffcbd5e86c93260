package org.jspdl.data.plan.value;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspdl.data.image.ImageSample;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.NamedValues;
import org.jspdl.plan.record.SampleOrigin;
import org.jspecify.annotations.Nullable;

/// One sample on its way through a plan: named values, and the memory that they lie in.
///
/// A value is an [Encoded] file, a tensor, a number, a text, or an array of numbers. Owned by one step at a time, which
/// changes it and hands it on.
///
/// Several samples can go through steps [together][#together], as a batch that was put together before it was read.
public final class PlanSample implements NamedValues, AutoCloseable {
    private final String name;
    private final String file;
    private final Map<String, String> details = new LinkedHashMap<>(2);
    private final SequencedMap<String, Object> values = new LinkedHashMap<>();
    /// Fields that say where the sample was, and nothing of what it is.
    private final Set<String> places = new HashSet<>(2);
    private final List<AutoCloseable> owned = new ArrayList<>(2);
    private @Nullable Callable<List<PlanSample>> reading;
    private @Nullable List<PlanSample> members;

    /// @param name what it is called in messages
    /// @param file the file or shard that it is read from
    public PlanSample(String name, String file) {
        this.name = name;
        this.file = file;
    }

    /// A decoded image as a sample, which owns it.
    public static PlanSample of(ImageSample image) {
        return new PlanSample(image.name(), image.name()).become(image.fields()).owning(image);
    }

    /// Several samples that go through steps as one, read by the first step that asks for them.
    ///
    /// @param reading called once; what it returns is owned
    public static PlanSample together(String name, Callable<List<PlanSample>> reading) {
        PlanSample together = new PlanSample(name, name);
        together.reading = reading;
        return together;
    }

    /// Those that go through steps [together][#together]; a single sample is its own and only one.
    ///
    /// @throws Exception what reading them has thrown
    public List<PlanSample> members() throws Exception {
        Callable<List<PlanSample>> unread = reading;
        if (unread != null) {
            List<PlanSample> read = unread.call();
            owned.addAll(read);
            members = read;
            reading = null;
        }
        return members == null ? List.of(this) : members;
    }

    /// Keeps a detail of its origin.
    public PlanSample noting(String detail, String value) {
        details.put(detail, value);
        return this;
    }

    /// What it was made from, as far as it has come.
    public SampleOrigin origin() {
        return new SampleOrigin(name, file, details);
    }

    /// What it is called in messages.
    public String name() {
        return name;
    }

    /// Has this field, in place of what had its name.
    public PlanSample with(String field, Object value) {
        requireSingle();
        values.put(field, value);
        places.remove(field);
        return this;
    }

    /// Has this field, which says where the sample was among others.
    ///
    /// @throws FormatException if it has a field of that name: the one would replace the other
    public PlanSample placed(String field, Object value) {
        if (values.containsKey(field)) {
            throw FormatException.because(name + " has a field '" + field + "' of its own, and '" + field
                    + "' is what this source calls a place; leave the field out by 'columns', or call it otherwise");
        }
        with(field, value);
        places.add(field);
        return this;
    }

    /// Whether a field says where the sample was, and has not been replaced since.
    public boolean isPlace(String field) {
        return places.contains(field);
    }

    /// Has this field, unless there is one of its name.
    ///
    /// @param what what brings the field, for the message
    /// @throws FormatException if there is: which of both is meant, nobody has said
    public PlanSample adding(String what, String field, Object value) {
        if (values.containsKey(field)) {
            throw FormatException.because(what + " '" + field + "' would replace the field '" + field
                    + "' that the sample has: before, leave out the sample's by 'keep', which names those that stay");
        }
        return with(field, value);
    }

    /// Has `resource` closed with the sample.
    public PlanSample owning(AutoCloseable resource) {
        owned.add(resource);
        return this;
    }

    /// Closes what it owns, which no field needs any more.
    public PlanSample disowning() {
        close();
        return this;
    }

    /// Has these fields and no others from here on; the memory of those before stays until the sample is closed.
    public PlanSample become(SequencedMap<String, Object> fields) {
        requireSingle();
        places.removeIf(field -> !Objects.equals(fields.get(field), values.get(field)));
        values.clear();
        values.putAll(fields);
        return this;
    }

    /// The first field that there is of `candidates`.
    ///
    /// @throws IOException if there is none; the message says which there are
    public String firstOf(List<String> candidates) throws IOException {
        for (String candidate : candidates) {
            if (values.containsKey(candidate)) {
                return candidate;
            }
        }
        requireSingle();
        throw new IOException(name + ": there is no field '" + String.join("' or '", candidates) + "', only "
                + values.sequencedKeySet());
    }

    /// The value of a field.
    ///
    /// @throws IOException if there is no such field
    public Object value(String field) throws IOException {
        return Objects.requireNonNull(values.get(firstOf(List.of(field))));
    }

    /// Takes a field away; its memory stays until the sample is closed.
    public Object take(String field) throws IOException {
        Object value = value(field);
        values.remove(field);
        return value;
    }

    /// Takes all fields away but those of `names`, which come in this order.
    public PlanSample keep(List<String> names) throws Exception {
        if (members().getFirst() != this) {
            for (PlanSample each : members()) {
                each.keep(names);
            }
            return this;
        }
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
        requireSingle();
        return values;
    }

    /// Refuses several samples, of which a step would change none.
    private void requireSingle() {
        if (members != null || reading != null) {
            throw new IllegalStateException(name + ": this takes single samples, and these come as a batch: leave the"
                    + " step out, or do it before the shards are written, and end the steps with 'collate-balanced'");
        }
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
