/// Events for JDK Flight Recorder. Their classes cost about 80 ms to load, so nothing here is touched unless a recorder
/// runs.
///
/// Read [FlightEvents] first; `docs/reference/events.md` says how to read the events.
package org.jspdl.pipeline.internal.flight;
