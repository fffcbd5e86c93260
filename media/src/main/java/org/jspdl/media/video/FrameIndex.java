package org.jspdl.media.video;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;

/// When each frame of a video is presented, and from which key frame it can be decoded: what sampling needs to know.
///
/// Made by reading all packets once. Nothing is decoded, except the first group of a recording that begins between key
/// frames, because some of its frames never come out of a decoder. Can be kept in a file and reused. Immutable.
public final class FrameIndex {
    /// Flags of a packet: a key frame from which decoding can begin; a frame that is shown.
    static final int KEY = 1;

    static final int SHOWN = 2;
    /// "JFX2". In the first version, key frames were starts that are none: with intra refresh, in H.264 and HEVC
    /// that begin between key frames.
    private static final int MAGIC = 0x4A465832;
    private static final int OLD_MAGIC = 0x4A465831;
    private static final int MOST_FRAMES = 1 << 28;

    private final Rational timeBase;
    private final long lastDuration;
    private final long[] pts;
    private final long[] dts;
    private final boolean[] keys;
    private final int[] shown;
    private final boolean lacksFrames;

    /// The arrays are in the order of decoding; `shown` are numbers of packets in the order of presentation.
    private FrameIndex(
            Rational timeBase,
            long lastDuration,
            long[] pts,
            long[] dts,
            boolean[] keys,
            int[] shown,
            boolean lacksFrames) {
        this.lacksFrames = lacksFrames;
        this.timeBase = timeBase;
        this.lastDuration = lastDuration;
        this.pts = pts;
        this.dts = dts;
        this.keys = keys;
        this.shown = shown;
    }

    /// Reads the index of the best video stream.
    ///
    /// @throws MediaException if the source cannot be read, or its packets have no times
    public static FrameIndex of(MediaSource source) {
        try (Demuxer demuxer = Demuxer.open(source)) {
            return of(demuxer, demuxer.info().require(StreamInfo.Kind.VIDEO));
        }
    }

    /// Reads the index of a stream from where the demuxer stands to the end.
    static FrameIndex of(Demuxer demuxer, StreamInfo stream) {
        demuxer.select(stream);
        Growing pts = new Growing();
        Growing dts = new Growing();
        Growing flags = new Growing();
        long last = Long.MIN_VALUE;
        long lastDuration = 0;
        boolean lacksFrames = false;
        try (Packet packet = Packet.create()) {
            while (demuxer.read(packet)) {
                if (packet.stream() != stream.index()) {
                    continue;
                }
                int frames = packet.shownFrames(stream);
                if (frames > 1) {
                    throw stream.failure("the packet at tick " + packet.pts() + " has " + frames
                            + " frames that are shown, and one time for them");
                }
                boolean isShown = frames == 1;
                if (isShown && packet.pts() == Packet.NO_TIME) {
                    throw stream.failure(
                            "packets have no times, so frames can't be found without decoding all before them");
                }
                if (isShown && packet.pts() > last) {
                    last = packet.pts();
                    lastDuration = packet.duration();
                }
                lacksFrames |= AvPacket.isCorrupt(packet.nativePacket());
                pts.add(packet.pts());
                dts.add(packet.dts());
                flags.add((packet.isCleanStart(stream) ? KEY : 0) | (isShown ? SHOWN : 0));
            }
        }
        return of(
                stream.timeBase(),
                lastDuration,
                pts.toArray(),
                dts.toArray(),
                FirstGroup.hideUndecodable(demuxer, stream, pts.toArray(), flags.toArray()),
                lacksFrames);
    }

    private static FrameIndex of(
            Rational timeBase, long lastDuration, long[] pts, long[] dts, long[] flags, boolean lacksFrames) {
        boolean[] keys = new boolean[pts.length];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (flags[i] & KEY) != 0;
        }
        int[] shown = IntStream.range(0, pts.length)
                .filter(i -> (flags[i] & SHOWN) != 0)
                .boxed()
                .sorted(Comparator.comparingLong(i -> pts[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        return new FrameIndex(timeBase, lastDuration, pts, dts, keys, shown, lacksFrames);
    }

    /// This index of a video of which it is known whether it lacks frames.
    FrameIndex lackingFrames(boolean lacks) {
        return new FrameIndex(timeBase, lastDuration, pts, dts, keys, shown, lacks);
    }

    /// How many frames there are.
    public int frames() {
        return shown.length;
    }

    /// The unit of times, in seconds.
    public Rational timeBase() {
        return timeBase;
    }

    /// When frame `index` is presented, in ticks.
    ///
    /// @throws IndexOutOfBoundsException if there is no such frame
    public long ticks(int index) {
        if (index < 0 || index >= shown.length) {
            throw new IndexOutOfBoundsException("frame " + index + " of a video with " + shown.length);
        }
        return pts[shown[index]];
    }

    /// Whether another frame has the same time.
    boolean isTied(int index) {
        long time = ticks(index);
        return (index > 0 && ticks(index - 1) == time) || (index + 1 < frames() && ticks(index + 1) == time);
    }

    /// Whether a packet lacks bytes, or some next to it are lost, so that frames may have other numbers. A kept
    /// index does not tell.
    boolean lacksFrames() {
        return lacksFrames;
    }

    /// How long the last frame is shown, in ticks.
    long lastDuration() {
        return lastDuration;
    }

    /// The frame that is shown at a time: the last one presented at or before it, or the first one.
    public int frameAt(Rational time) {
        long ticks = time.dividedBy(timeBase).floor();
        int low = 0;
        int high = shown.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (pts[shown[middle]] <= ticks) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// The numbers of the frames that can be decoded without others.
    public List<Integer> keyFrames() {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < shown.length; i++) {
            if (keys[shown[i]]) {
                found.add(i);
            }
        }
        return found;
    }

    /// The packet, in the order of decoding, that frame `index` comes in.
    int packetOf(int index) {
        return shown[index];
    }

    /// The packet at which decoding must begin for the frame in `packet`: the nearest key frame before it that is
    /// not presented later. (A picture that is decoded after a key frame but presented before it depends on what
    /// came before the key frame.)
    int startOf(int packet) {
        for (int i = packet; i > 0; i--) {
            if (keys[i] && pts[i] != Packet.NO_TIME && pts[i] <= pts[packet]) {
                return i;
            }
        }
        return 0;
    }

    long pts(int packet) {
        return pts[packet];
    }

    long dts(int packet) {
        return dts[packet];
    }

    /// Writes the index, to be read by [#readFrom].
    public void writeTo(OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        out.writeInt(MAGIC);
        out.writeLong(timeBase.numerator());
        out.writeLong(timeBase.denominator());
        out.writeLong(lastDuration);
        out.writeInt(pts.length);
        boolean[] visible = new boolean[pts.length];
        for (int packet : shown) {
            visible[packet] = true;
        }
        for (int i = 0; i < pts.length; i++) {
            out.writeLong(pts[i]);
            out.writeLong(dts[i]);
            out.writeByte((keys[i] ? KEY : 0) | (visible[i] ? SHOWN : 0));
        }
        out.flush();
    }

    /// Reads what [#writeTo] wrote.
    ///
    /// @throws IOException if it cannot be read, is no index, or was written by a release whose indices pass for
    /// starts of decoding what is none; make it again then with [#of(MediaSource)]
    public static FrameIndex readFrom(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        int magic = in.readInt();
        if (magic == OLD_MAGIC) {
            throw new IOException("this frame index is of version 1, which names starts of decoding that are none; the"
                    + " version is 2 now: make it again with FrameIndex.of");
        }
        if (magic != MAGIC) {
            throw new IOException("this is no frame index");
        }
        long numerator = in.readLong();
        long denominator = in.readLong();
        long lastDuration = in.readLong();
        int packets = in.readInt();
        if (numerator <= 0 || denominator <= 0 || packets < 0 || packets > MOST_FRAMES) {
            throw new IOException("the frame index is damaged");
        }
        Growing pts = new Growing();
        Growing dts = new Growing();
        Growing flags = new Growing();
        for (int i = 0; i < packets; i++) {
            pts.add(in.readLong());
            dts.add(in.readLong());
            flags.add(in.readByte());
        }
        return of(
                Rational.of(numerator, denominator),
                lastDuration,
                pts.toArray(),
                dts.toArray(),
                flags.toArray(),
                false);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FrameIndex that
                && timeBase.equals(that.timeBase)
                && lastDuration == that.lastDuration
                && Arrays.equals(pts, that.pts)
                && Arrays.equals(dts, that.dts)
                && Arrays.equals(keys, that.keys)
                && Arrays.equals(shown, that.shown);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pts);
    }

    @Override
    public String toString() {
        return "FrameIndex[" + shown.length + " frames, " + keyFrames().size() + " key frames]";
    }

    /// A list of longs; memory is taken as they come, whatever a file claims to hold.
    private static final class Growing {
        private long[] values = new long[1024];
        private int count;

        void add(long value) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = value;
        }

        long[] toArray() {
            return Arrays.copyOf(values, count);
        }
    }
}
