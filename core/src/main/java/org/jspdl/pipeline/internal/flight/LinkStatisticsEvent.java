package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// What went through a link since the run started.
@Name("jspdl.LinkStatistics")
@Label("Link Statistics")
@Category("JSPDL")
@Description("What went through a link since the run started")
@StackTrace(false)
final class LinkStatisticsEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("From")
    String from = "";

    @Label("To")
    @Description("The stage that takes from the link; empty if that is the consumer")
    String to = "";

    @Label("Size")
    int size;

    @Label("Capacity")
    int capacity;

    @Label("Passed")
    long passed;

    @Label("Empty")
    @Timespan(Timespan.NANOSECONDS)
    long empty;

    @Label("Full")
    @Timespan(Timespan.NANOSECONDS)
    long full;
}
