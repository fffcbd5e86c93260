/// Items of an earlier run once more: in which order they are started, and how they are found where a source finds none
/// by its number.
///
/// Not here: the run of them (`run`). Read [org.jspdl.pipeline.internal.again.StartOrder] first.
package org.jspdl.pipeline.internal.again;
