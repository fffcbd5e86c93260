/// Tests that a run resumed from a checkpoint delivers what the first had left: by property, by rank, by `kill -9`.
///
/// Not here: what stages do in one run (`org.jspdl.pipeline`). Read [org.jspdl.pipeline.resume.Interrupted] first.
package org.jspdl.pipeline.resume;
