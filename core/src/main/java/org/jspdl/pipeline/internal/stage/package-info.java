/// What every stage of a run is made of: threads or activations, slots, the byte budget, deadlines, the source.
///
/// Not here: what single kinds of stages do (`function`, `group`, `join`). Read
/// [org.jspdl.pipeline.internal.stage.Stage] first.
package org.jspdl.pipeline.internal.stage;
