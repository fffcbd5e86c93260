package org.jspdl.data.shards.arrow;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspdl.data.shards.ShardCursor;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;
import org.jspecify.annotations.Nullable;

/// A pass over the rows of an Arrow file or stream, one batch after the other, of which the wanted columns are in
/// memory. Beginning in the middle reads the metadata of the batches before.
final class ArrowCursor extends ShardCursor {
    private final StoredObject object;
    private final ArrowFile arrow;
    private final ArrowFile.Messages messages;
    private final List<LeafValues> values;
    private final Map<Long, Dictionary> dictionaries = new HashMap<>();
    private @Nullable ArrowBody body;
    private final List<@Nullable ArrowVector> columns = new ArrayList<>();
    private long firstOfBatch;
    private long firstOfNext;

    /// The parts of a dictionary, and what holds them.
    private record Dictionary(List<ArrowVector> parts, List<ArrowBody> bodies) {}

    /// @param object which the cursor owns from here
    private ArrowCursor(ShardFile file, StoredObject object, ArrowFile arrow, long row) {
        super(file, row);
        this.object = object;
        this.arrow = arrow;
        this.messages = arrow.new Messages();
        this.values = LeafValues.of(ArrowLeaf.of(arrow.fields()), file);
    }

    /// A cursor at `row`.
    static ArrowCursor open(ShardFile file, long row) throws IOException {
        StoredObject object = file.storage().object(file.location());
        try {
            return new ArrowCursor(file, object, ArrowFile.open(file, object), row);
        } catch (FormatException damaged) {
            object.close();
            throw damaged.withSource(file.shown());
        } catch (Throwable failure) {
            object.close();
            throw failure;
        }
    }

    @Override
    protected Optional<ShardSample> read(long row) throws IOException {
        try {
            while (row >= firstOfNext) {
                if (!openNext(row)) {
                    return Optional.empty();
                }
            }
            return Optional.of(row(row));
        } catch (FormatException | PoolExhaustedException known) {
            throw known;
        } catch (RuntimeException damaged) { // whatever lies outside of what it should lie in
            throw FormatException.because("Arrow: the batch of row " + row + " is damaged: " + damaged);
        }
    }

    /// Takes the next message; false at the end.
    private boolean openNext(long row) throws IOException {
        closeBatch();
        ArrowMessage message = messages.next();
        if (message == null) {
            return false;
        }
        if (message.kind() == ArrowMessage.Kind.DICTIONARY) {
            takeDictionary(message);
            return true;
        }
        long rows = message.rows();
        if (rows > Long.MAX_VALUE - firstOfNext) {
            throw FormatException.because("Arrow: the batches claim more rows than can be counted");
        }
        firstOfBatch = firstOfNext;
        firstOfNext += rows;
        if (row < firstOfNext) {
            openBatch(message);
        }
        return true;
    }

    private void openBatch(ArrowMessage message) throws IOException {
        ArrowBody opened = new ArrowBody(object, file(), message);
        body = opened;
        ArrowVector.Assembly assembly = new ArrowVector.Assembly(opened, this::parts);
        for (int i = 0; i < arrow.fields().size(); i++) {
            int column = i;
            boolean wanted = values.stream().anyMatch(each -> each.column() == column);
            columns.add(assembly.next(arrow.fields().get(i), wanted));
        }
    }

    private List<ArrowVector> parts(long dictionary) {
        Dictionary known = dictionaries.get(dictionary);
        return known == null ? List.of() : known.parts;
    }

    /// Dictionaries of columns that are not wanted are passed over; a new one takes the place of an old one, unless
    /// it continues it.
    private void takeDictionary(ArrowMessage message) throws IOException {
        long number = message.header().large(0);
        Optional<ArrowField> encoded = encoded(number);
        if (encoded.isEmpty()) {
            return;
        }
        ArrowField field = encoded.get();
        ArrowField values = new ArrowField(
                field.name(), field.type(), field.parameter(), field.detail(), field.children(), -1, null);
        ArrowBody opened = new ArrowBody(object, file(), message);
        try {
            ArrowVector part = new ArrowVector.Assembly(opened, this::parts).next(values, true);
            Dictionary known = dictionaries.get(number);
            if (known == null || !message.header().flag(2)) {
                if (known != null) {
                    known.bodies.forEach(ArrowBody::close);
                }
                known = new Dictionary(new ArrayList<>(), new ArrayList<>());
                dictionaries.put(number, known);
            }
            known.parts.add(java.util.Objects.requireNonNull(part));
            known.bodies.add(opened);
        } catch (Throwable failure) {
            opened.close();
            throw failure;
        }
    }

    private Optional<ArrowField> encoded(long dictionary) {
        return values.stream()
                .map(each -> arrow.fields().get(each.column()))
                .distinct()
                .flatMap(field -> encoded(field, dictionary).stream())
                .findFirst();
    }

    private static Optional<ArrowField> encoded(ArrowField field, long dictionary) {
        if (field.isEncoded() && field.dictionary() == dictionary) {
            return Optional.of(field);
        }
        return field.children().stream()
                .flatMap(child -> encoded(child, dictionary).stream())
                .findFirst();
    }

    private ShardSample row(long row) {
        long bytes = 0;
        String objection = "";
        for (LeafValues each : values) {
            each.take(java.util.Objects.requireNonNull(columns.get(each.column())), row - firstOfBatch);
            bytes = file().options().within(bytes, each.byteSize(), "a row of Arrow");
            objection = objection.isEmpty() ? each.objection() : objection;
        }
        if (!objection.isEmpty()) {
            return broken(row, objection);
        }
        Lease lease = lease(bytes);
        ShardSample sample = sample(row).owning(lease);
        long at = 0;
        for (LeafValues each : values) {
            each.put(sample, lease.segment().asSlice(at, each.byteSize()));
            at += each.byteSize();
        }
        return sample;
    }

    /// A value may be null, and a column that does not exist was refused before.
    @Override
    protected List<String> missing(ShardSample sample) {
        return List.of();
    }

    @Override
    protected String state() {
        return "";
    }

    private void closeBatch() {
        columns.clear();
        if (body != null) {
            body.close();
            body = null;
        }
    }

    @Override
    public void close() {
        closeBatch();
        dictionaries.values().forEach(each -> each.bodies.forEach(ArrowBody::close));
        dictionaries.clear();
        object.close();
    }
}
