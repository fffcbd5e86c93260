package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/// A call of a stage function that [CallSampling] has chosen.
@Name("jspdl.Item")
@Label("Item")
@Category("JSPDL")
@Description("A call of a stage function: all long ones, and some of the short ones")
@StackTrace(false)
@Throttle("300/s")
final class ItemEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("Stage")
    String stage = "";

    @Label("Item")
    @Description("The epoch and the place in the source of what it was made from")
    String item = "";

    @Label("Passed")
    @Description("Whether the call made something to pass on")
    boolean passed;
}
