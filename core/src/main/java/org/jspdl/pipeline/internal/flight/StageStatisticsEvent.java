package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What a stage has done since the run started; the times are summed over its workers.
@Name("jspdl.StageStatistics")
@Label("Stage Statistics")
@Category("JSPDL")
@Description("What a stage has done since the run started; the times are summed over its workers")
@StackTrace(false)
@Period("1 s")
final class StageStatisticsEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("Stage")
    String stage = "";

    @Label("Placement")
    String placement = "";

    @Label("Workers")
    int workers;

    @Label("Completed")
    long completed;

    @Label("Failed")
    long failed;

    @Label("Busy")
    @Timespan(Timespan.NANOSECONDS)
    long busy;

    @Label("Starved")
    @Timespan(Timespan.NANOSECONDS)
    long starved;

    @Label("Backpressured")
    @Timespan(Timespan.NANOSECONDS)
    long backpressured;

    @Label("Waiting for CPU")
    @Timespan(Timespan.NANOSECONDS)
    long waitingForCpu;
}
