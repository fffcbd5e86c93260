/// Tests of `org.jspdl.pipeline.internal.lineage` alone, most of them raced by several threads.
@NullUnmarked
package org.jspdl.pipeline.internal.lineage;

import org.jspecify.annotations.NullUnmarked;
