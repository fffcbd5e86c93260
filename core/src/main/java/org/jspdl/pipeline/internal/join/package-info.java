/// Stages with several inputs or outputs: `merge`, `mix`, `roundRobin`, `route`.
///
/// Not here: which inputs there are (`recipe`). Read [org.jspdl.pipeline.internal.join.MergeStage] first.
package org.jspdl.pipeline.internal.join;
