package org.jspdl.media.video;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspdl.media.stream.Rational;

/// Which rows of a tensor show which frames: for each row the time of the frame, in ticks.
final class RowPlan {
    private final long[] ticks;
    private final int[] rows;

    private RowPlan(long[] ticks, int[] rows) {
        this.ticks = ticks;
        this.rows = rows;
    }

    /// Row `i` shows the frame at `ticks[i]`.
    static RowPlan of(long[] ticks) {
        int[] rows = IntStream.range(0, ticks.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> ticks[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        return new RowPlan(IntStream.of(rows).mapToLong(i -> ticks[i]).toArray(), rows);
    }

    /// What a spec makes of frames at `ticks`, ascending.
    ///
    /// At another rate, frame `j` is due at output `round(time * rate)`, and an output shows the last frame that is
    /// due.
    static RowPlan of(long[] ticks, long lastDuration, Rational timeBase, VideoSpec spec) {
        long[] shown = ticks;
        if (spec.frameRate().isPresent() && ticks.length > 0) {
            Rational scale = timeBase.times(spec.frameRate().get());
            long first = Rational.of(ticks[0]).times(scale).round();
            long end = Rational.of(ticks[ticks.length - 1] + lastDuration)
                    .times(scale)
                    .round();
            int count = Math.toIntExact(Math.max(1, end - first));
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
