/// Tests of `org.jspdl.pipeline.internal.join` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.join;

import org.jspecify.annotations.NullUnmarked;
