package org.jspdl.data.http.pace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Throttle;
import jdk.jfr.Timespan;
import org.jspdl.stats.RemoteRequest;

/// One request to another machine.
@Name("jspdl.StorageRequest")
@Label("Storage Request")
@Category("JSPDL")
@Description("One request to another machine, with its repeats; a few hundred of them a second")
@StackTrace(false)
@Threshold("1 ms")
@Throttle("300/s")
final class RequestEvent extends Event {
    @Label("Request")
    String request = "";

    @Label("Location")
    String location = "";

    @Label("Attempts")
    int attempts;

    @Label("Waited for a Connection")
    @Timespan
    long queued;

    @Label("Paused between Attempts")
    @Timespan
    long paused;

    @Label("Trouble")
    String trouble = "";

    /// An event that begins now.
    static RequestEvent begun() {
        RequestEvent event = new RequestEvent();
        event.begin();
        return event;
    }

    /// Ends the event of `ended`.
    void ended(RemoteRequest ended) {
        end();
        if (shouldCommit()) {
            request = ended.what();
            location = ended.location();
            attempts = ended.attempts();
            queued = ended.queued().toNanos();
            paused = ended.paused().toNanos();
            trouble = ended.trouble();
            commit();
        }
    }
}
