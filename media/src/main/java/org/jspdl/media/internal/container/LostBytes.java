package org.jspdl.media.internal.container;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/// Which packets lack bytes, or come behind some that are lost, as far as the container's own structure tells:
/// counters of a transport stream, pages of Ogg, elements of Matroska, frames of bare AAC and MP3. Demuxers go on at
/// the next place that makes sense, and the sound or video is shorter.
///
/// Used by one thread at a time.
public final class LostBytes {
    private final boolean isTransportStream;
    private final boolean isMp3;
    private final boolean canSeek;
    private final TransportCounters counters;
    private final BrokenPlaces broken;
    /// Where the last packet of each stream is.
    private final Map<Integer, Long> positions = new HashMap<>();
    /// What a stream's first packet comes behind.
    private long begin = -1;

    /// @param format  FFmpeg's name of it
    /// @param canSeek whether bytes may be read before they are needed
    public LostBytes(String format, boolean canSeek, TransportCounters counters, BrokenPlaces broken) {
        this.isTransportStream = format.equals("mpegts");
        this.isMp3 = format.equals("mp3");
        this.canSeek = canSeek;
        this.counters = counters;
        this.broken = broken.isOf(format) ? broken : new BrokenPlaces();
    }

    /// Whether packets have the positions of a transport stream's.
    public boolean isTransportStream() {
        return isTransportStream;
    }

    /// Whether something may be lost behind the last packet, which is known when there is none behind it.
    public boolean knowsEnd() {
        return canSeek && broken.isFollowed();
    }

    /// Goes on at another place.
    public void seek() {
        positions.clear();
        begin = Long.MAX_VALUE;
    }

    /// Goes back to the beginning.
    public void rewind() {
        positions.clear();
        begin = -1;
    }

    /// Whether bytes of a packet are lost, or between it and the one before.
    ///
    /// @param stream   the index of its stream, and `number` what a transport stream calls it
    /// @param position where it is, negative if unknown
    /// @param data     what is in it
    public boolean isLost(int stream, int number, long position, MemorySegment data) {
        if (isTransportStream) {
            if (position >= 0) {
                positions.put(stream, position);
            }
            return counters.hasLosses() && counters.isLost(number, positions.getOrDefault(stream, -1L));
        }
        if (position < 0) {
            return false;
        }
        Long before = positions.put(stream, position);
        return isMp3
                ? before != null && beginsWithHole(data)
                : broken.isBetween(before == null ? begin : before, position);
    }

    /// Whether bytes behind the last packets are lost.
    public boolean isEndLost() {
        long last = positions.values().stream().mapToLong(Long::longValue).max().orElse(begin);
        return broken.isEndBehind(last);
    }

    /// FFmpeg puts what it makes no sense of before the next frame, and its decoder passes over zeros; a few are
    /// padding.
    private static boolean beginsWithHole(MemorySegment data) {
        long zeros = 0;
        while (zeros < data.byteSize() && data.get(ValueLayout.JAVA_BYTE, zeros) == 0) {
            zeros++;
        }
        return zeros > 0 && 2 * zeros >= data.byteSize() - zeros;
    }
}
