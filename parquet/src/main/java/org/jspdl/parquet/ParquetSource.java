package org.jspdl.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// The rows of one Parquet file. Its footer is read once, when it is first needed.
final class ParquetSource implements Source<ShardSample> {
    private final ShardFile file;
    private final AtomicReference<@Nullable ParquetFooter> footer = new AtomicReference<>();

    ParquetSource(ShardFile file) {
        this.file = file;
    }

    private ParquetFooter footer() throws IOException {
        ParquetFooter known = footer.get();
        if (known == null) {
            known = ParquetFooter.read(file);
            footer.set(known);
        }
        return known;
    }

    @Override
    public Cursor<ShardSample> open(long epoch, Position from) throws IOException {
        ParquetFooter known;
        try {
            known = footer();
        } catch (FormatException broken) {
            file.options().failures().broken(file.shown(), from.index(), true, broken);
            known = ParquetFooter.EMPTY;
        }
        return new ParquetCursor(file, known, from.index());
    }

    @Override
    public OptionalLong size() {
        if (file.options().where().isPresent()) {
            return OptionalLong.empty(); // it takes reading
        }
        try {
            return OptionalLong.of(footer().rows());
        } catch (FormatException broken) {
            return OptionalLong.empty(); // opening it says why, or skips it
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public String identity() {
        return file.shown() + file.options().selection();
    }
}
