package org.jspdl.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.observe.Report;
import org.jspdl.observe.report.ReportDocument;
import org.jspdl.stats.PipelineStats;

/// What a run did, as far as it came.
///
/// @param subject           what was run
/// @param epochs            every epoch that was begun; the last may be incomplete if the run was interrupted
/// @param preparationSeconds from the start of the process to the start of the job: building, making the sample set,
///                          listing the dataset
/// @param firstBatchSeconds from the start of the process to the first batch; negative if there was none
/// @param milestones        when the first 100, 1,000, ... items had been delivered
/// @param processCpu        processor time of the whole process
/// @param watched           the run as it was watched
/// @param reading           what it took to read the files; empty for a plan
/// @param checksum          of the pixels and labels of all batches, whatever their order
/// @param interrupted       whether the run was ended early
public record RunReport(
        Subject subject,
        List<EpochFigures> epochs,
        double preparationSeconds,
        double firstBatchSeconds,
        List<Milestones.Milestone> milestones,
        double processSeconds,
        Duration processCpu,
        OptionalLong peakResidentBytes,
        long failures,
        List<FailureLog.Failure> failed,
        PipelineStats stats,
        Report watched,
        Optional<Reading> reading,
        long checksum,
        boolean interrupted) {

    /// What was run.
    ///
    /// @param name          the dataset, or the plan
    /// @param itemsPerEpoch items of an epoch on this rank; negative if that is not known
    /// @param epochs        how many epochs were asked for
    /// @param settings      how images were loaded; empty for a plan, which says so itself
    /// @param decoders      names the code that decodes; empty if that is not known
    /// @param leftOut       files of the dataset that are not images
    /// @param mixing        how shards are mixed, for people; empty if they are not or that is not known
    public record Subject(
            String name,
            long itemsPerEpoch,
            long epochs,
            Optional<RunSettings> settings,
            String decoders,
            LeftOut leftOut,
            String mixing) {
        /// What is counted.
        String items() {
            return settings.isPresent() ? "images" : "items";
        }
    }

    /// The report of the watched run with what the program adds.
    public ReportDocument document() {
        return RunSections.of(this);
    }

    EpochFigures lastEpoch() {
        return epochs.getLast();
    }

    /// Items that were delivered in all epochs.
    public long totalItems() {
        return epochs.stream().mapToLong(EpochFigures::items).sum();
    }
}
