package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A decision of the tuner of `auto` stages.
@Name("jspdl.Tuning")
@Label("Tuning")
@Category("JSPDL")
@Description("A decision of the tuner of auto stages")
@StackTrace(false)
final class TuningEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";

    @Label("Decision")
    String decision = "";

    @Label("Stage")
    @Description("The stage that changes; empty if none does")
    String stage = "";

    @Label("What")
    String what = "";

    @Label("From")
    int from;

    @Label("To")
    int to;

    @Label("Predicted")
    @Description("Throughput after the change as part of that before, by the model")
    double predicted;

    @Label("Measured")
    @Description("Throughput after the change as part of that before")
    double measured;

    @Label("Why")
    String why = "";
}
