/// Who runs a stage's activations: the compute pool that runs share, or the caller's executor.
///
/// Read [org.jspdl.pipeline.internal.schedule.PoolScheduler] first.
package org.jspdl.pipeline.internal.schedule;
