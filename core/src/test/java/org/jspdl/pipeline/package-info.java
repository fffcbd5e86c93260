/// Tests of the engine, by behaviour: each class is one subject of the conformance list.
///
/// Not here: tests of single parts (`internal`). Read [org.jspdl.pipeline.Setting] and [org.jspdl.pipeline.Gate] first.
package org.jspdl.pipeline;
