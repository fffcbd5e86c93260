/// Sound and video decoded in helper processes: what is asked, answered and checked over shared memory.
///
/// Not here: the processes (`org.jspdl.media.internal.helper`), and what they decode (`org.jspdl.media.audio`,
/// `org.jspdl.media.video`). Read [org.jspdl.media.internal.isolation.MediaIsolation] first.
package org.jspdl.media.internal.isolation;
