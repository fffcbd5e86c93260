package org.jspdl.media.video;

import org.jspdl.media.frame.Frame;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;

/// The times of frames as they come, made up where the file has none: a frame's length after the last one.
final class FrameClock {
    /// No time in the window.
    static final long OUTSIDE = Long.MIN_VALUE;

    private final TimeWindow window;
    private final long first;
    private final long end;
    private final long usualDuration;
    private final boolean ascending;
    private long last = OUTSIDE;

    /// @param ascending whether times that do not ascend are replaced too
    FrameClock(StreamInfo stream, TimeWindow window, boolean ascending) {
        this.window = window;
        this.first = window.firstTick(stream.timeBase());
        this.end = window.endTick(stream.timeBase());
        this.ascending = ascending;
        this.usualDuration = stream.frameRate()
                .map(rate ->
                        Math.max(1, rate.inverse().dividedBy(stream.timeBase()).round()))
                .orElse(1L);
    }

    /// The time of the next frame in ticks, or [#OUTSIDE].
    long tick(Frame frame) {
        long tick = frame.pts();
        if (tick == Packet.NO_TIME || (ascending && last != OUTSIDE && tick <= last)) {
            tick = last == OUTSIDE ? 0 : last + (frame.duration() > 0 ? frame.duration() : usualDuration);
        }
        last = tick;
        return window.isAll() || (tick >= first && tick < end) ? tick : OUTSIDE;
    }
}
