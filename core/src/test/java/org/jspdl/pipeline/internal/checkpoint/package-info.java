/// Tests of `org.jspdl.pipeline.internal.checkpoint` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.checkpoint;

import org.jspecify.annotations.NullUnmarked;
