package org.jspdl.pipeline.mixture;

/// How the ranks of a trainer agree on the step of a change: for
/// [LiveMixture#change(StepAgreement, double...)]. It is called once on each rank, and may wait for the others.
///
/// ```java
/// StepAgreement allReduce = earliest -> communicator.allReduceMax(earliest);
/// ```
@FunctionalInterface
public interface StepAgreement {
    /// The step of the change: the same on all ranks, and at least `earliest` of each.
    ///
    /// @param earliest the first step whose weights this rank can still change
    long agree(long earliest) throws Exception;
}
