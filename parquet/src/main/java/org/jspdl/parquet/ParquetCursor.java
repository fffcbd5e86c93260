package org.jspdl.parquet;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspdl.data.shards.ShardCursor;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;
import org.jspecify.annotations.Nullable;

/// A pass over the rows of a Parquet file, one row group after the other. Beginning in the middle of a group passes
/// over the values before.
final class ParquetCursor extends ShardCursor {
    private final ParquetFooter footer;
    private @Nullable StoredObject object;
    private List<WantedColumn> columns = List.of();
    private RowValues[] values = new RowValues[0];
    private @Nullable RowGroupReader group;
    private @Nullable RowSelection selection;
    private BitSet selected = new BitSet();
    private int nextGroup;
    private long firstOfGroup;
    private long firstOfNext;
    private long nextValue;

    ParquetCursor(ShardFile file, ParquetFooter footer, long row) {
        super(file, row);
        this.footer = footer;
    }

    @Override
    protected Optional<ShardSample> read(long row) throws IOException {
        if (row >= footer.rows()) {
            return Optional.empty();
        }
        return guarded(row, () -> {
            while (row >= firstOfNext) {
                openNextGroup(row);
            }
            return Optional.of(row(row));
        });
    }

    /// The next row that the filter leaves; behind all rows if there is none.
    @Override
    protected long next(long number) throws IOException {
        return file().options().where().isEmpty() ? number : guarded(number, () -> nextSelected(number));
    }

    private long nextSelected(long number) throws IOException {
        long row = number;
        while (row < footer.rows()) {
            while (row >= firstOfNext) {
                openNextGroup(row);
            }
            int found = selected.nextSetBit((int) (row - firstOfGroup));
            if (found >= 0) {
                return firstOfGroup + found;
            }
            row = firstOfNext;
        }
        return row;
    }

    /// What reads pages.
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException;
    }

    private static <T> T guarded(long row, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (FormatException | PoolExhaustedException known) {
            throw known;
        } catch (RuntimeException damaged) { // parquet-java's decoders throw all kinds of them
            throw FormatException.because("Parquet: the pages of row " + row + " are damaged: " + damaged);
        } catch (OutOfMemoryError tooLarge) { // an array of a size that the file claims, which was not made
            throw FormatException.because("Parquet: the pages of row " + row
                    + " claim more than the heap has room for: they are damaged, or -Xmx is too small");
        }
    }

    private void openNextGroup(long row) throws IOException {
        closeGroup();
        long first = firstOfNext;
        long rows = footer.rowGroups().get(nextGroup).getNum_rows();
        if (row >= first + rows) { // the whole group lies before the first row: nothing of it is read
            nextGroup++;
            firstOfNext += rows;
            return;
        }
        StoredObject opened = object;
        if (opened == null) {
            columns = WantedColumn.of(
                    footer.columns(),
                    file().columns(footer.columns().stream()
                            .map(ParquetColumn::name)
                            .toList()));
            opened = file().object();
            object = opened;
        }
        long begin = row;
        Optional<RowFilter> where = file().options().where();
        if (where.isPresent()) {
            RowSelection chosen =
                    selection == null ? RowSelection.of(where.get(), footer, file().location()) : selection;
            selection = chosen;
            selected = chosen.rows(opened, footer.rowGroups().get(nextGroup), file());
            int found = selected.nextSetBit((int) (row - first));
            begin = found < 0 ? first + rows : first + found;
        }
        if (begin < first + rows) { // else nothing of it is read
            group = RowGroupReader.open(opened, footer.rowGroups().get(nextGroup), columns, file());
            values = new RowValues[columns.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = new RowValues(columns.get(i), group.reader(i), group.values(i), file().options());
                values[i].pass(begin - first);
            }
        }
        nextValue = begin;
        nextGroup++;
        firstOfGroup = first;
        firstOfNext += rows;
    }

    private ShardSample row(long row) {
        long bytes = 0;
        String objection = "";
        for (RowValues value : values) { // all of them, so that the next row can be read
            value.pass(row - nextValue);
            value.advance();
            if (row == firstOfNext - 1) {
                value.requireEnd();
            }
            bytes += value.byteSize();
            objection = objection.isEmpty() ? value.objection() : objection;
        }
        nextValue = row + 1;
        if (!objection.isEmpty()) {
            return broken(row, objection);
        }
        Lease lease = lease(bytes);
        ShardSample sample = sample(row).owning(lease);
        long at = 0;
        for (RowValues value : values) {
            value.put(sample, lease.segment().asSlice(at, value.byteSize()));
            at += value.byteSize();
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

    private void closeGroup() {
        if (group != null) {
            group.close();
            group = null;
        }
    }

    @Override
    public void close() {
        closeGroup();
        if (object != null) {
            object.close();
            object = null;
        }
    }
}
