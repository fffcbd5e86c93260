package org.jspdl.data.dataset;

import java.util.Iterator;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;

/// The items of an iterable dataset, read from the start of the epoch again where a run resumes.
record IteratorSource<T>(IterableDataset<T> dataset) implements Source<T> {
    @Override
    public Cursor<T> open(long epoch, Position from) throws Exception {
        Iterator<T> items = dataset.open(epoch);
        return Sources.once(() -> items).open(epoch, from);
    }

    @Override
    public Resume resume() {
        return Resume.REPLAY;
    }
}
