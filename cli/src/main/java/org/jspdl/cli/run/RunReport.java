package org.jspdl.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspdl.stats.PipelineStats;

/// What a run did, as far as it came.
///
/// @param dataset           where the images are
/// @param imagesPerEpoch    images of an epoch on this rank
/// @param decoders          names the code that decodes
/// @param epochs            every epoch that was begun; the last may be incomplete if the run was interrupted
/// @param preparationSeconds from the start of the process to the start of the job: building, making the sample set,
///                          listing the dataset
/// @param firstBatchSeconds from the start of the process to the first batch; negative if there was none
/// @param processCpu        processor time of the whole process
/// @param checksum          of the pixels and labels of all batches, whatever their order
/// @param interrupted       whether the run was ended early
public record RunReport(
        String dataset,
        long imagesPerEpoch,
        RunSettings settings,
        String decoders,
        List<EpochFigures> epochs,
        double preparationSeconds,
        double firstBatchSeconds,
        double processSeconds,
        Duration processCpu,
        OptionalLong peakResidentBytes,
        long failures,
        List<FailureLog.Failure> failed,
        PipelineStats stats,
        long checksum,
        boolean interrupted) {

    /// For a person, in a screen's width.
    public String text() {
        return ReportText.of(this);
    }

    /// For programs: a JSON document whose keys `docs/reference/run.md` explains.
    public String json() {
        return ReportJson.of(this);
    }

    EpochFigures lastEpoch() {
        return epochs.getLast();
    }

    long totalItems() {
        return epochs.stream().mapToLong(EpochFigures::items).sum();
    }
}
