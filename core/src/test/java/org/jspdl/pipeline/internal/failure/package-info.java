/// Tests of `org.jspdl.pipeline.internal.failure` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.failure;

import org.jspecify.annotations.NullUnmarked;
