/// The platform threads that run the functions of `cpu` stages.
///
/// Not here: what they run (`stage`). Read [org.jspdl.pipeline.internal.compute.ComputePool] first.
package org.jspdl.pipeline.internal.compute;
