/// Describe a pipeline and run it.
///
/// Not here: threads, links and bookkeeping (`org.jspdl.pipeline.internal`), where items come from
/// (`org.jspdl.source`). Read [org.jspdl.pipeline.Pipeline] first, then [org.jspdl.pipeline.Run].
package org.jspdl.pipeline;
