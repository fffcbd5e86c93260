/// Stress tests of the hand-written concurrent parts, each alone and raced by several threads.
///
/// Not here: what runs do (`org.jspdl.pipeline`). Read [org.jspdl.pipeline.internal.Race] first.
package org.jspdl.pipeline.internal;
