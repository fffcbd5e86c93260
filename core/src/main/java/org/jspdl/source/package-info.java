/// Where items come from, in which order, and how to go on from the middle.
///
/// Not here: threads and queues (`org.jspdl.pipeline`), files and networks (`org.jspdl.data`). Read
/// [org.jspdl.source.Source] first.
package org.jspdl.source;
