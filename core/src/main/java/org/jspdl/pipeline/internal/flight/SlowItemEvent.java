package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;

/// The end of a call that took long in a stage whose calls are short, so that it has no [ItemEvent].
@Name("jspdl.SlowItem")
@Label("Slow Item")
@Category("JSPDL")
@Description("The end of a call that took over 10 ms in a stage whose other calls are short")
@StackTrace(false)
@Throttle("100/s")
final class SlowItemEvent extends Event {
    /// From this length on a call is slow.
    static final long NANOS = 10_000_000;

    @Label("Pipeline")
    String pipeline = "";

    @Label("Stage")
    String stage = "";

    @Label("Item")
    @Description("The epoch and the place in the source of what it was made from")
    String item = "";

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
}
