package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A run of a pipeline, from its start to its close.
@Name("jspdl.Run")
@Label("Run")
@Category("JSPDL")
@Description("A run of a pipeline, from its start to its close")
@StackTrace(false)
final class RunEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("Delivered")
    long delivered;

    @Label("Failed")
    long failed;

    @Label("Consumer Wait")
    @Timespan(Timespan.NANOSECONDS)
    long consumerWait;
}
