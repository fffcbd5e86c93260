package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.spark.internal.PlanOnce;
import org.jspdl.spark.internal.ReadOptions;

/// How a dataset lies there, as the driver sees it: the columns that follow, and the pieces that tasks read.
sealed interface Layout permits ShardLayout, FileLayout, PlanLayout {
    /// What its samples are called.
    String KEY = "key";

    /// Of what `options` name: a plan, shards, or a folder, list or manifest of files.
    static Layout of(ReadOptions options) throws IOException {
        if (!options.plan().isBlank()) {
            return new PlanLayout(options, new PlanOnce(options));
        }
        List<Location> given = new ArrayList<>();
        for (String path : options.paths()) {
            given.add(Location.of(path));
        }
        if (Shards.areMeant(given.getFirst())) {
            return new ShardLayout(given, options);
        }
        if (given.size() > 1) {
            throw new IllegalArgumentException(
                    "several paths are read if they are shards, but " + given.getFirst() + " is a dataset of files");
        }
        return new FileLayout(given.getFirst(), options);
    }

    /// The columns, without reading more than the first samples.
    StructType schema() throws IOException;

    /// All samples, each in one piece, in the order of the dataset.
    List<Piece> partitions() throws IOException;
}
