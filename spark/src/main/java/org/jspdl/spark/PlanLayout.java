package org.jspdl.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.pipeline.FailedItem;
import org.jspdl.spark.internal.PlanMeter;
import org.jspdl.spark.internal.PlanOnce;
import org.jspdl.spark.internal.ReadOptions;

/// What the steps of a plan make of its dataset, a sample of each place or none.
///
/// @param options with the plan
/// @param once    looks at it
record PlanLayout(ReadOptions options, PlanOnce once) implements Layout {
    private static final int LOOKED_AT = 16;
    /// Places in which a sample must come, for its columns to be known.
    private static final int MOST_LOOKED_AT = 1_024;

    private static final int PIECES_PER_CORE = 4;
    private static final int LARGEST_PIECE = 10_000;

    /// The fields of the first samples, each of the type that all of these have. Makes these samples.
    @Override
    public StructType schema() throws IOException {
        FieldTypes types = new FieldTypes();
        types.plan();
        try (PackedPlan plan = options.open(DatasetVersions.toBeTold(), new PlanMeter())) {
            long places = Math.min(plan.places(), MOST_LOOKED_AT);
            List<FailedItem> failed = new ArrayList<>();
            boolean[] seen = {false};
            for (long from = 0; from < places && !seen[0]; from += LOOKED_AT) {
                failed.addAll(plan.samples(from, Math.min(places, from + LOOKED_AT), (sample, _) -> {
                    types.add(sample);
                    seen[0] = true;
                }));
            }
            if (seen[0]) {
                return types.schema();
            }
            throw new IOException("the plan makes no sample of its first " + places + " places, of which "
                    + failed.size() + " failed"
                    + (failed.isEmpty()
                            ? ""
                            : ", the first with: " + failed.getFirst().cause().getMessage())
                    + "; to read it nevertheless, give a schema: spark.read().schema(...)");
        }
    }

    @Override
    public List<Piece> partitions() throws IOException {
        long places = once.sight().places();
        long each = options.samplesPerPartition() > 0 ? options.samplesPerPartition() : perPiece(places);
        List<Piece> pieces = new ArrayList<>();
        for (long from = 0; from < places; from += each) {
            pieces.add(new PlanPiece(from, Math.min(places, from + each)));
        }
        return pieces;
    }

    private static long perPiece(long places) {
        long pieces =
                (long) PIECES_PER_CORE * SparkSession.active().sparkContext().defaultParallelism();
        return Math.clamp((places + pieces - 1) / pieces, 1, LARGEST_PIECE);
    }
}
