/// Tests of `org.jspdl.pipeline.internal.compute` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.compute;

import org.jspecify.annotations.NullUnmarked;
