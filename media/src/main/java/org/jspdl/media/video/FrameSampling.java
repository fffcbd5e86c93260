package org.jspdl.media.video;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.media.stream.Rational;

/// Which frames of a video to take, as their numbers; to be given to [VideoDecoder#frames] or [Video#frames].
public final class FrameSampling {
    private FrameSampling() {}

    /// `count` frames in the middles of as many equal parts; some repeat if the video has fewer.
    public static int[] evenly(int frames, int count) {
        check(frames, count);
        int[] indices = new int[count];
        for (int i = 0; i < count; i++) {
            indices[i] = (int) ((2L * i + 1) * frames / (2L * count));
        }
        return indices;
    }

    /// One frame at random from each of `count` equal parts.
    public static int[] stratified(int frames, int count, RandomGenerator random) {
        check(frames, count);
        int[] indices = new int[count];
        for (int i = 0; i < count; i++) {
            int from = (int) ((long) i * frames / count);
            int to = (int) Math.max(from + 1L, (i + 1L) * frames / count);
            indices[i] = from + random.nextInt(to - from);
        }
        return indices;
    }

    /// `count` different frames at random in ascending order; if the video has fewer, each of them, the last one
    /// repeated.
    public static int[] random(int frames, int count, RandomGenerator random) {
        check(frames, count);
        int[] indices = new int[count];
        int taken = 0;
        for (int i = 0; i < frames && taken < count; i++) {
            if (random.nextInt(frames - i) < count - taken) {
                indices[taken++] = i;
            }
        }
        while (taken < count) {
            indices[taken++] = frames - 1;
        }
        return indices;
    }

    /// `length` frames from `first` on, each `stride` after the last; beyond the end the last frame repeats.
    public static int[] clip(int frames, int first, int length, int stride) {
        check(frames, length);
        if (first < 0 || first >= frames || stride < 1) {
            throw new IllegalArgumentException(
                    "a clip from frame " + first + " with stride " + stride + " in a video of " + frames + " frames");
        }
        int[] indices = new int[length];
        for (int i = 0; i < length; i++) {
            indices[i] = (int) Math.min(frames - 1L, first + (long) i * stride);
        }
        return indices;
    }

    /// `count` clips of `length` frames with `stride`, spread evenly from the first frame to the last.
    public static List<int[]> clips(int frames, int count, int length, int stride) {
        check(frames, count);
        long room = room(frames, length, stride);
        List<int[]> clips = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int first = (int) (count == 1 ? room / 2 : room * i / (count - 1));
            clips.add(clip(frames, first, length, stride));
        }
        return clips;
    }

    /// `count` clips of `length` frames with `stride` that begin at random, in ascending order.
    public static List<int[]> randomClips(int frames, int count, int length, int stride, RandomGenerator random) {
        check(frames, count);
        long room = room(frames, length, stride);
        return random.longs(count, 0, room + 1)
                .sorted()
                .mapToObj(first -> clip(frames, (int) first, length, stride))
                .toList();
    }

    /// The frames that are shown at `times`.
    public static int[] atTimes(FrameIndex index, List<Rational> times) {
        return times.stream().mapToInt(index::frameAt).toArray();
    }

    private static long room(int frames, int length, int stride) {
        return Math.max(0, frames - 1 - (length - 1L) * stride);
    }

    private static void check(int frames, int count) {
        if (frames < 1 || count < 1) {
            throw new IllegalArgumentException("can't take " + count + " of " + frames + " frames");
        }
    }
}
