package org.jspdl.pipeline.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// The consumer waited for a delivery that was not ready.
@Name("jspdl.Delivery")
@Label("Delivery")
@Category("JSPDL")
@Description("The consumer waited for a delivery that was not ready")
@StackTrace(false)
@Threshold("1 ms")
final class DeliveryEvent extends Event {
    @Label("Pipeline")
    String pipeline = "";
}
