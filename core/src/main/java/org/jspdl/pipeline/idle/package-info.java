/// Threads of `cpu` stages that have nothing to do.
///
/// Not here: the threads (`org.jspdl.pipeline.internal.compute`). Read [org.jspdl.pipeline.idle.IdleCompute] first.
package org.jspdl.pipeline.idle;
