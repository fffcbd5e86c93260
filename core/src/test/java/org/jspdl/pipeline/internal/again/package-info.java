/// Tests of `org.jspdl.pipeline.internal.again` alone.
@NullUnmarked
package org.jspdl.pipeline.internal.again;

import org.jspecify.annotations.NullUnmarked;
