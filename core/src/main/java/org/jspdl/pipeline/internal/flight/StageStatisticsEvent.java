package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What a stage has done since the run started; the times are summed over its slots.
@Name("jspdl.StageStatistics")
@Label("Stage Statistics")
@Category("JSPDL")
@Description("What a stage has done since the run started; the times are summed over its slots")
@StackTrace(false)
@Period("1 s")
final class StageStatisticsEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("Stage")
    String stage = "";

    @Label("Placement")
    String placement = "";

    @Label("Concurrency")
    int concurrency;

    @Label("Completed")
    long completed;

    @Label("Failed")
    long failed;

    @Label("Busy")
    @Timespan(Timespan.NANOSECONDS)
    long busy;

    @Label("Waiting for Input")
    @Timespan(Timespan.NANOSECONDS)
    long starved;

    @Label("Waiting for Room")
    @Timespan(Timespan.NANOSECONDS)
    long blocked;

    @Label("Waiting for a Processor")
    @Timespan(Timespan.NANOSECONDS)
    long queued;
}
