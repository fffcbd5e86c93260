/// A checkpoint as a document: its values, its JSON, its checksum, and how those of several ranks become one and are
/// split again.
///
/// Not here: where a running pipeline stands (`lineage`). Read [org.jspdl.pipeline.internal.checkpoint.RunState] first.
package org.jspdl.pipeline.internal.checkpoint;
