package org.jspdl.spark.internal;

import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.snapshot.DatasetVersions;
import org.jspdl.data.snapshot.FileVersions;

/// A plan and its dataset as the driver saw them, once for all tasks. Immutable; goes to the executors.
///
/// @param places   how many there are
/// @param snapshot of the dataset and of all else that decides what comes of them
/// @param versions of the files of the dataset, by source
/// @param stages   of the plan
public record PlanSight(long places, String snapshot, List<FileVersions> versions, List<String> stages)
        implements Serializable {
    /// Where no plan is read.
    public static final PlanSight NONE = new PlanSight(0, "", List.of(), List.of());

    /// Copies the lists.
    public PlanSight {
        versions = List.copyOf(versions);
        stages = List.copyOf(stages);
    }

    /// Compiles the plan, and looks at the versions of all files.
    public static PlanSight of(ReadOptions options) throws IOException {
        try (PackedPlan plan = options.open(DatasetVersions.toBeTold(), new PlanMeter())) {
            return new PlanSight(plan.places(), plan.snapshot(), plan.versions(), plan.stages());
        }
    }
}
