/// Stress tests of the hand-written concurrent parts, each alone and raced by several threads.
///
/// Not here: what runs do (`org.jspdl.pipeline`). Read [org.jspdl.pipeline.internal.Race] first.
@NullUnmarked
package org.jspdl.pipeline.internal;

import org.jspecify.annotations.NullUnmarked;
