/// Stages that make one item of several or several of one: `batch`, `unbatch`, `aggregate`.
///
/// Not here: `flatMap` (`function`). Read [org.jspdl.pipeline.internal.group.BatchStage] first.
package org.jspdl.pipeline.internal.group;
