package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.spark.internal.Places;
import org.jspdl.spark.internal.ReadOptions;

/// Files with classes: a folder with one sub-folder for each class, a list, or a manifest.
///
/// @param location the folder, list or manifest
record FileLayout(Location location, ReadOptions options) implements Layout {
    static final String LABEL = "label";
    static final String CLASS = "class";
    static final String BYTES = "bytes";

    private static final StructType SCHEMA = new StructType()
            .add(KEY, DataTypes.StringType, false)
            .add(LABEL, DataTypes.LongType, true)
            .add(CLASS, DataTypes.StringType, true)
            .add(BYTES, DataTypes.BinaryType, false);
    private static final int PIECES_PER_CORE = 4;
    /// So that a task can be told its names.
    private static final int LARGEST_PIECE = 10_000;

    @Override
    public StructType schema() {
        return SCHEMA;
    }

    @Override
    public List<Piece> partitions() throws IOException {
        try (Storage storage = Storage.open()) {
            LabeledFiles files =
                    options.anyFile() ? LabeledFiles.open(storage, location) : LabeledFiles.images(storage, location);
            Location root = Places.absolute(files.root());
            long each = options.samplesPerPartition() > 0 ? options.samplesPerPartition() : perPiece(files.size());
            List<Piece> pieces = new ArrayList<>();
            for (long from = 0; from < files.size(); from += each) {
                pieces.add(FilePiece.of(files, root, from, Math.min(files.size(), from + each)));
            }
            return pieces;
        }
    }

    private static long perPiece(long files) {
        long pieces =
                (long) PIECES_PER_CORE * SparkSession.active().sparkContext().defaultParallelism();
        return Math.clamp((files + pieces - 1) / pieces, 1, LARGEST_PIECE);
    }
}
