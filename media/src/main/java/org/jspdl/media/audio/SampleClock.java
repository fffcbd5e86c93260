package org.jspdl.media.audio;

import org.jspdl.media.frame.Frame;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TimeWindow;

/// Counts samples, so that a window is exact to the sample although containers round times, some to milliseconds.
///
/// A frame begins where the last one ended, unless its time says otherwise by more than rounding can explain.
final class SampleClock {
    private final TimeWindow window;
    private long next = Long.MIN_VALUE;

    SampleClock(TimeWindow window) {
        this.window = window;
    }

    /// Drops what lies outside of the window; false if nothing remains.
    boolean trim(Frame frame) {
        if (window.isAll()) {
            return true;
        }
        Rational rate = Rational.of(Math.max(1, frame.sampleRate()));
        long begin = next;
        if (frame.pts() != Packet.NO_TIME) {
            long told =
                    Rational.of(frame.pts()).times(frame.timeBase()).times(rate).round();
            long tolerance = frame.timeBase().times(rate).ceil() + 1;
            begin = next == Long.MIN_VALUE || Math.abs(told - next) > tolerance ? told : next;
        }
        begin = begin == Long.MIN_VALUE ? 0 : begin;
        next = begin + frame.samples();
        long from = window.start().times(rate).ceil() - begin;
        long to = window.end().map(end -> end.times(rate).ceil()).orElse(Long.MAX_VALUE / 2) - begin;
        return frame.trimSamples(from, to);
    }
}
