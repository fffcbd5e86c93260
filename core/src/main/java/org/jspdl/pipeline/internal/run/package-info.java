/// How a run is put together, started, watched and ended.
///
/// Not here: what stages do. Read [org.jspdl.pipeline.internal.run.RunCore] first.
package org.jspdl.pipeline.internal.run;
