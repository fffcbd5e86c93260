/// Stages that call a function for each item: `pipe`, `pipeAsync` and `flatMap`, on threads or in the pool.
///
/// Not here: failure policies (`failure`). Read [org.jspdl.pipeline.internal.function.StageInvoker] first.
package org.jspdl.pipeline.internal.function;
