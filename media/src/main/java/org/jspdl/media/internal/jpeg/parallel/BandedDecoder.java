package org.jspdl.media.internal.jpeg.parallel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.jpeg.JpegDecoder;
import org.jspdl.media.internal.lifetime.SharedWork;

/// Decodes large pictures by several threads, if restart markers let each begin where it has to.
///
/// The rows that are wanted are cut into bands, each decoded by a decoder of its own, which passes over the intervals
/// above by their markers. All intervals of the rows are verified by one band or another, and all restart markers by
/// each. If one finds damage, what the bands decoded does not count, and one thread decodes the picture again: samples
/// and errors are always those of one thread. Called by one thread at a time.
public final class BandedDecoder implements AutoCloseable {
    /// Smaller pictures, as far as they are decoded, are not worth the threads.
    public static final long FEWEST_PIXELS = 8_000_000;

    private static final int BLOCK = 8;
    /// Bands for each thread, so that one that comes late, or is held up, does not hold up the others.
    private static final int BANDS = 2;

    private final JpegDecoder decoder;
    private final SharedWork work;
    private final long fewestPixels;
    private final Thread another = Thread.ofPlatform().unstarted(() -> {});
    private final Deque<JpegDecoder> idle = new ArrayDeque<>();

    /// @param decoder      that the caller opens, and closes
    /// @param work         whose threads help while they are idle; the caller's, too
    /// @param fewestPixels of the rows that are wanted: fewer are decoded by one thread
    public BandedDecoder(JpegDecoder decoder, SharedWork work, long fewestPixels) {
        this.decoder = decoder;
        this.work = work;
        this.fewestPixels = fewestPixels;
    }

    /// Decodes a part of what the decoder has opened, as [JpegDecoder#decode] does it.
    ///
    /// @throws DecodeException if the file cannot be decoded, or is damaged and that is an error
    public void decode(MemorySegment memory, int left, int top, int right, int bottom) {
        int high = BLOCK * decoder.mostDown();
        int first = top / high;
        int rows = Math.ceilDiv(bottom, high) - first;
        int bands = bands(rows, high);
        if (bands < 2 || !decoder.isAccessibleBy(another) || !isSound(bands, memory, left, first, right, rows, high)) {
            decoder.decode(memory, left, top, right, bottom);
        }
    }

    /// How many bands `rows` rows of units are cut into, so that each has some intervals of its own.
    private int bands(int rows, int high) {
        if (work.threads() < 2 || (long) rows * high * decoder.width() < fewestPixels) {
            return 1;
        }
        long intervals = (long) decoder.intervals() * rows / Math.ceilDiv(decoder.height(), high);
        return (int) Math.min(Math.min(rows, intervals / 2), (long) BANDS * work.threads());
    }

    /// Whether all bands could be decoded.
    private boolean isSound(int bands, MemorySegment memory, int left, int first, int right, int rows, int high) {
        try {
            work.run(bands, band -> {
                JpegDecoder one = take();
                try {
                    one.openAs(decoder);
                    int from = first + (int) ((long) rows * band / bands);
                    int to = first + (int) ((long) rows * (band + 1) / bands);
                    one.decode(memory, left, from * high, right, to * high);
                } finally {
                    give(one);
                }
            });
            return true;
        } catch (DecodeException damaged) {
            return false;
        }
    }

    private JpegDecoder take() {
        synchronized (idle) {
            return idle.isEmpty() ? new JpegDecoder() : idle.pop();
        }
    }

    private void give(JpegDecoder one) {
        synchronized (idle) {
            idle.push(one);
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(JpegDecoder::close);
            idle.clear();
        }
    }
}
