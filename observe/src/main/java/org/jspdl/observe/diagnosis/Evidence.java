package org.jspdl.observe.diagnosis;

import java.util.Map;
import org.jspdl.observe.process.ProcessUsage;
import org.jspdl.stats.PipelineStats;

/// What a diagnosis is made from: a stretch of a run in its steady state.
///
/// @param stats what the stages did in that stretch
/// @param usage what the process used in it
/// @param work  what the stages' functions do, by the stage's name
public record Evidence(PipelineStats stats, ProcessUsage usage, Map<String, Work> work) {

    /// What a stage's function does with its time, as parts of it between 0 and 1.
    ///
    /// @param processor time on a processor
    /// @param files     time waiting for files
    /// @param network   time waiting for the network
    /// @param place     the method it was found in most often; empty if not known
    public record Work(double processor, double files, double network, String place) {
        /// Nothing is known: it computes.
        public static final Work COMPUTES = new Work(1, 0, 0, "");
    }

    /// What is known of `stage`.
    public Work work(String stage) {
        return work.getOrDefault(stage, Work.COMPUTES);
    }
}
