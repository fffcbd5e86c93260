package org.jspdl.media.audio;

import org.jspdl.media.frame.Frame;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TimeWindow;

/// Counts samples, so that a window is exact to the sample although containers round times, some to milliseconds.
///
/// A frame begins where the last one ended, or later, if its time says so by more than rounding can explain. It never
/// begins earlier, whatever its time says: files put together from several count from 0 again.
final class SampleClock {
    private final TimeWindow window;
    private final PacketTimes times;
    private final boolean fromTheFirst;
    private long next = Long.MIN_VALUE;
    private int rateHz;
    private boolean past;
    private boolean lost;

    /// @param fromTheFirst whether the first frame that comes is the stream's first one
    SampleClock(TimeWindow window, PacketTimes times, boolean fromTheFirst) {
        this.window = window;
        this.times = times;
        this.fromTheFirst = fromTheFirst;
    }

    /// Drops what lies outside of the window; false if nothing remains.
    boolean trim(Frame frame) {
        if (window.isAll()) {
            return true;
        }
        Rational rate = Rational.of(Math.max(1, frame.sampleRate()));
        if (rateHz != frame.sampleRate() && next != Long.MIN_VALUE) {
            next = Rational.of(next, Math.max(1, rateHz)).times(rate).round();
        }
        rateHz = frame.sampleRate();
        long begin = begin(frame, rate);
        if (lost) {
            return false;
        }
        next = begin + frame.samples();
        long end = window.end().map(time -> time.times(rate).ceil()).orElse(Long.MAX_VALUE / 2);
        past = next >= end;
        return frame.trimSamples(window.start().times(rate).ceil() - begin, end - begin);
    }

    private long begin(Frame frame, Rational rate) {
        boolean first = next == Long.MIN_VALUE;
        if (frame.pts() == Packet.NO_TIME || (times == PacketTimes.MADE_UP && !first)) {
            lost = first && !fromTheFirst;
            return first ? 0 : next;
        }
        long told = Rational.of(frame.pts()).times(frame.timeBase()).times(rate).round();
        long tolerance = frame.timeBase().times(rate).ceil() + 1;
        return first || told > next + tolerance ? told : next;
    }

    /// What the times of the packets are worth.
    PacketTimes times() {
        return times;
    }

    /// Whether everything that is still to come lies behind the window.
    boolean isPast() {
        return past;
    }

    /// Whether nobody knows where the first frame begins: behind a seek, it has no time.
    boolean isLost() {
        return lost;
    }
}
