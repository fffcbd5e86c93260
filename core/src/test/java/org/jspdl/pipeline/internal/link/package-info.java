/// Tests of `org.jspdl.pipeline.internal.link` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.link;

import org.jspecify.annotations.NullUnmarked;
