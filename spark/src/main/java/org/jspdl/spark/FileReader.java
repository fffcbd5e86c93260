package org.jspdl.spark;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Closeables;
import org.jspdl.memory.Lease;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.spark.internal.Failures;
import org.jspdl.spark.internal.ReadMetrics;
import org.jspdl.spark.internal.ReadOptions;
import org.jspecify.annotations.Nullable;

/// Reads files in their order, several ahead where they are remote, and none where no column needs what they hold. One
/// thread at a time.
final class FileReader implements PartitionReader<InternalRow> {
    private static final int LOCAL_READS = 2;
    private static final int REMOTE_READS = 32;
    /// The most that a row of Spark holds.
    private static final long LARGEST = Integer.MAX_VALUE - 8;

    private final FilePiece piece;
    private final String[] names;
    private final Location root;
    private final List<Column> columns;
    private final boolean skips;
    private final int most;
    private final Storage storage;
    private final BufferPool pool;
    private final AtomicLong leftOut = new AtomicLong();
    private final @Nullable Run<Content> run;
    private final Iterator<Content> contents;
    private int rows;
    private @Nullable InternalRow row;

    /// What a column has of a file.
    @FunctionalInterface
    private interface Column {
        @Nullable
        Object of(Content file);
    }

    /// A file of the piece.
    ///
    /// @param place of it
    /// @param bytes what it holds; null if that is not wanted, or not to be had
    private record Content(int place, @Nullable Lease bytes) implements AutoCloseable {
        @Override
        public void close() {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    private FileReader(FilePiece piece, StructType wanted, boolean skips, int most) {
        this.piece = piece;
        this.names = piece.nameList();
        this.root = Location.of(piece.root());
        this.columns = new ArrayList<>();
        this.skips = skips;
        this.most = most;
        List<String> given = List.of(wanted.fieldNames());
        given.forEach(name -> columns.add(column(name)));
        this.storage = Storage.open();
        this.pool = BufferPool.unbounded("files");
        if (given.contains(FileLayout.BYTES)) {
            this.run = reading();
            this.contents = run.iterator();
        } else {
            this.run = null;
            this.contents = IntStream.range(0, names.length)
                    .mapToObj(place -> new Content(place, null))
                    .iterator();
        }
    }

    static FileReader open(FilePiece piece, StructType columns, ReadOptions options, int most) throws IOException {
        return new FileReader(piece, columns, options.skips(), most);
    }

    private Run<Content> reading() {
        int files = Math.min(names.length, most);
        int atOnce = root.isRemote() ? Math.min(REMOTE_READS, files) : LOCAL_READS;
        return Pipeline.from(IntStream.range(0, names.length).boxed().toList())
                .pipe("read", this::read, StageOptions.io(Math.max(1, atOnce)).inputOrder())
                .start();
    }

    private Content read(int place) throws IOException {
        Location location = root.resolve(names[place]);
        try (StoredObject object = storage.object(location)) {
            return new Content(place, object.readAll(pool, LARGEST));
        } catch (StorageException unread) {
            boolean lasting = switch (unread.kind()) {
                case MISSING, DENIED, RANGE, UNSUPPORTED -> true;
                case CHANGED, UNAVAILABLE -> false;
            };
            if (skips && lasting) {
                return new Content(place, null);
            }
            throw unread;
        }
    }

    private Column column(String name) {
        return switch (name) {
            case Layout.KEY -> file -> UTF8String.fromString(names[file.place]);
            case FileLayout.LABEL -> file -> label(file) == LabeledFiles.NO_LABEL ? null : (long) label(file);
            case FileLayout.CLASS -> file -> className(label(file));
            case FileLayout.BYTES ->
                file -> file.bytes == null ? null : file.bytes.segment().toArray(ValueLayout.JAVA_BYTE);
            case DatasetTable.SHARD ->
                file -> UTF8String.fromString(root.resolve(names[file.place]).toString());
            case DatasetTable.INDEX -> file -> piece.from() + file.place;
            default ->
                throw new IllegalArgumentException("a dataset of files has the columns key, label, class and bytes,"
                        + " and _shard and _index, but no '" + name + "'");
        };
    }

    private int label(Content file) {
        return piece.labels()[file.place];
    }

    private @Nullable UTF8String className(int label) {
        return label < 0 || label >= piece.classes().size()
                ? null
                : UTF8String.fromString(piece.classes().get(label));
    }

    @Override
    public boolean next() throws IOException {
        row = null;
        try {
            while (rows < most && contents.hasNext()) {
                try (Content file = contents.next()) {
                    if (run != null && file.bytes == null) {
                        leftOut.incrementAndGet();
                        continue;
                    }
                    row = new GenericInternalRow(columns.stream()
                            .<@Nullable Object>map(column -> column.of(file))
                            .toArray());
                    rows++;
                    return true;
                }
            }
            return false;
        } catch (PipelineException failure) {
            throw Failures.told(failure, root);
        }
    }

    @Override
    public InternalRow get() {
        if (row == null) {
            throw new IllegalStateException("there is no row: next() comes before each");
        }
        return row;
    }

    @Override
    public CustomTaskMetric[] currentMetricsValues() {
        return ReadMetrics.values(() -> rows, () -> storage.stats().bytes(), leftOut::get);
    }

    @Override
    public void close() throws IOException {
        List<AutoCloseable> all = new ArrayList<>();
        if (run != null) {
            all.add(run);
        }
        all.add(pool);
        all.add(storage);
        Closeables.closeAll(all);
    }
}
