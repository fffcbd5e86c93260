/// Tests of the tuner, with simulated pipelines.
@NullMarked
package org.jspdl.pipeline.internal.tune;

import org.jspecify.annotations.NullMarked;
