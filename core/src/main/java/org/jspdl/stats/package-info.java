/// What a run has done and where its time went: snapshots, the analysis of a bottleneck, and the observer of
/// stages.
///
/// Not here: how the numbers are gathered (`org.jspdl.pipeline.internal`) or drawn (`org.jspdl.observe`).
/// Read [org.jspdl.stats.PipelineStats] first.
package org.jspdl.stats;
