/// Tests of what is recorded for JDK Flight Recorder, without an engine.
///
/// Not here: the events of whole runs ([org.jspdl.pipeline.FlightEventsTest]).
package org.jspdl.pipeline.internal.flight;
