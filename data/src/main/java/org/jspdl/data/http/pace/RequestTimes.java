package org.jspdl.data.http.pace;

import java.time.Duration;
import jdk.jfr.FlightRecorder;
import org.jspdl.data.storage.Location;
import org.jspdl.stats.RemoteRequest;
import org.jspdl.stats.RequestObserver;
import org.jspecify.annotations.Nullable;

/// Times one request for whoever wants to know: an observer, and a flight recorder. Without either nothing is timed,
/// and only attempts are counted. Used by one thread.
public final class RequestTimes {
    private static final int LONGEST_TROUBLE = 160;

    private final RequestObserver observer;
    private final String what;
    private final String location;
    private final boolean timed;
    private final long start;
    private final @Nullable RequestEvent event;
    private int attempts;
    private long queued;
    private long paused;
    private String trouble = "";

    private RequestTimes(RequestObserver observer, String what, String location, boolean timed) {
        this.observer = observer;
        this.what = what;
        this.location = location;
        this.timed = timed;
        this.start = timed ? System.nanoTime() : 0;
        this.event = timed && FlightRecorder.isInitialized() ? RequestEvent.begun() : null;
    }

    /// Times a request that begins now, if anybody wants to know.
    ///
    /// @param range `bytes=first-last`, or empty for the whole
    public static RequestTimes of(RequestObserver observer, String method, String range, Location location) {
        if (observer == RequestObserver.NONE && !FlightRecorder.isInitialized()) {
            return new RequestTimes(observer, "", "", false);
        }
        String what = range.isEmpty() ? method : method + " " + range.replace('=', ' ');
        return new RequestTimes(observer, what, location.toString(), true);
    }

    /// The request is sent once more.
    public void attempted() {
        attempts++;
    }

    /// How often it was sent.
    public int attempts() {
        return attempts;
    }

    /// Now, in nanoseconds; 0 if nothing is timed.
    public long now() {
        return timed ? System.nanoTime() : 0;
    }

    /// It has waited for a connection since `asked`, a time of [#now].
    public void queuedSince(long asked) {
        queued += now() - asked;
    }

    /// It has waited since `begun`, a time of [#now], to be repeated.
    ///
    /// @param reason what had gone wrong
    public void pausedSince(long begun, @Nullable String reason) {
        paused += now() - begun;
        failed(reason);
    }

    /// It went wrong, for now or for good.
    public void failed(@Nullable String reason) {
        String said = String.valueOf(reason);
        trouble = said.length() <= LONGEST_TROUBLE ? said : said.substring(0, LONGEST_TROUBLE) + "...";
    }

    /// It has ended, and is told.
    public void end() {
        if (!timed) {
            return;
        }
        RemoteRequest request = new RemoteRequest(
                what,
                location,
                Thread.currentThread().threadId(),
                start,
                System.nanoTime(),
                attempts,
                Duration.ofNanos(queued),
                Duration.ofNanos(paused),
                trouble);
        if (event != null) {
            event.ended(request);
        }
        observer.ended(request);
    }
}
