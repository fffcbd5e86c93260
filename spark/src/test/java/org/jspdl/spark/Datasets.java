package org.jspdl.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.pack.FileInput;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.ShardPacker;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.Samplers;
import org.jspdl.spark.internal.ReadOptions;

/// Small datasets, and what readers make of them without a session.
final class Datasets {
    private static final String[] CLASSES = {"cat", "dog", "owl"};

    private Datasets() {}

    /// A folder of `count` files of different sizes, dealt to three classes; they are called as images, and are
    /// none.
    static Path files(Path folder, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Path file = folder.resolve(CLASSES[i % 3]).resolve(String.format("%04d.jpg", i));
            Files.createDirectories(file.getParent());
            Files.write(file, content(i));
        }
        return folder;
    }

    /// What file `i` holds.
    static byte[] content(int i) {
        byte[] content = new byte[1 + i % 100];
        java.util.Arrays.fill(content, (byte) i);
        return content;
    }

    /// The files of `folder` as shards of `samples` in `to`.
    static Path shards(Path folder, Path to, int samples) throws IOException {
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files to pack")) {
            LabeledFiles files = LabeledFiles.open(storage, Location.of(folder));
            FileInput input = new FileInput(files, Samplers.sequential(files.size()), storage, pool, 1 << 20);
            PackSettings settings = PackSettings.of(to, "train").limits(samples, 1 << 30);
            ShardPacker.pack(input, settings, storage, _ -> {});
        }
        return to;
    }

    static ReadOptions options(Path path, String... namesAndValues) {
        Map<String, String> options = new HashMap<>();
        options.put("path", path.toString());
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return ReadOptions.of(new CaseInsensitiveStringMap(options));
    }

    /// Takes a row while it is valid.
    interface Row<T> {
        T of(InternalRow row);
    }

    /// What the rows of all pieces are, in the order of the pieces.
    static <T> List<T> read(ReadOptions options, StructType columns, int most, Row<T> row) throws IOException {
        List<T> rows = new ArrayList<>();
        for (Piece piece : Layout.of(options).partitions()) {
            try (PartitionReader<InternalRow> reader = open(piece, columns, options, most)) {
                while (reader.next()) {
                    rows.add(row.of(reader.get()));
                }
            }
        }
        return rows;
    }

    static PartitionReader<InternalRow> open(Piece piece, StructType columns, ReadOptions options, int most)
            throws IOException {
        return new DatasetScan(columns, options, most).createReaderFactory().createReader(piece);
    }
}
