/// Tests of `org.jspdl.pipeline.internal.stage` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.stage;

import org.jspecify.annotations.NullUnmarked;
