/// The bounded queue between two stages, and the envelopes that pass through it.
///
/// Not here: the stages at its ends (`stage`). Read [org.jspdl.pipeline.internal.link.Link] first.
package org.jspdl.pipeline.internal.link;
