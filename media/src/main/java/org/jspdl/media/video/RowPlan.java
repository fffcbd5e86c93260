package org.jspdl.media.video;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;

/// Which rows of a tensor show which frames: for each row the time of the frame, in ticks.
final class RowPlan {
    /// The most rows at another rate: nine hours at 30 frames a second.
    private static final int MOST_ROWS = 1 << 20;

    private final long[] ticks;
    private final int[] rows;

    private RowPlan(long[] ticks, int[] rows) {
        this.ticks = ticks;
        this.rows = rows;
    }

    /// Row `i` shows the frame at `ticks[i]`.
    static RowPlan of(long[] ticks) {
        IntStream all = IntStream.range(0, ticks.length);
        if (IntStream.range(1, ticks.length).allMatch(i -> ticks[i - 1] <= ticks[i])) {
            return new RowPlan(ticks, all.toArray());
        }
        int[] rows = all.boxed()
                .sorted(Comparator.comparingLong(i -> ticks[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        return new RowPlan(IntStream.of(rows).mapToLong(i -> ticks[i]).toArray(), rows);
    }

    /// What a spec makes of frames at `ticks`, ascending.
    ///
    /// At another rate, frame `j` is due at output `round(time * rate)`, and an output shows the last frame that is
    /// due.
    ///
    /// @throws MediaException if that are more rows than a tensor may have, or times that can't be counted
    static RowPlan of(long[] ticks, long lastDuration, StreamInfo stream, VideoSpec spec) {
        try {
            return planned(ticks, lastDuration, stream, spec);
        } catch (ArithmeticException beyond) {
            throw stream.failure("its times, from tick " + ticks[0] + " to " + ticks[ticks.length - 1] + ", are beyond"
                    + " what can be counted in " + stream.timeBase() + " s");
        }
    }

    private static RowPlan planned(long[] ticks, long lastDuration, StreamInfo stream, VideoSpec spec) {
        long[] shown = ticks;
        if (spec.frameRate().isPresent() && ticks.length > 0) {
            Rational rate = spec.frameRate().get();
            Rational scale = stream.timeBase().times(rate);
            long first = Rational.of(ticks[0]).times(scale).round();
            long end = Rational.of(Math.addExact(ticks[ticks.length - 1], lastDuration))
                    .times(scale)
                    .round();
            long due = Math.max(1, Math.subtractExact(end, first));
            if (spec.frames() == 0 && due > MOST_ROWS) {
                throw stream.failure(String.format(
                        Locale.ROOT,
                        "at %s frames/s it has %,d frames, more than the %,d that one tensor may have; take a window"
                                + " or a number of frames",
                        rate,
                        due,
                        MOST_ROWS));
            }
            int count = (int) (spec.frames() == 0 ? due : Math.min(due, spec.frames()));
            shown = new long[count];
            int at = 0;
            for (int k = 0; k < count; k++) {
                while (at + 1 < ticks.length
                        && Rational.of(ticks[at + 1]).times(scale).round() <= first + k) {
                    at++;
                }
                shown[k] = ticks[at];
            }
        }
        if (spec.frames() > 0 && shown.length > 0) {
            long last = shown[Math.min(shown.length, spec.frames()) - 1];
            int have = shown.length;
            shown = Arrays.copyOf(shown, spec.frames());
            if (have < shown.length) {
                Arrays.fill(shown, have, shown.length, last);
            }
        }
        return of(shown);
    }

    /// How many rows there are.
    int count() {
        return rows.length;
    }

    /// The time that position `i` waits for; positions are in ascending order of time.
    long ticks(int i) {
        return ticks[i];
    }

    /// The row of position `i`.
    int row(int i) {
        return rows[i];
    }

    /// The first position that waits for a frame at `time`; negative if none does.
    int positionOf(long time) {
        int found = Arrays.binarySearch(ticks, time);
        while (found > 0 && ticks[found - 1] == time) {
            found--;
        }
        return found;
    }
}
