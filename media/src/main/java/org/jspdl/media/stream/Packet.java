package org.jspdl.media.stream;

import java.lang.foreign.MemorySegment;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.lifetime.NativeHandle;

/// Room for one compressed packet of a stream, to be filled again and again by [Demuxer#read].
///
/// Owned by whoever made it, who closes it; used by one thread at a time. Times are in ticks of the stream's time base.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Packet extends NativeHandle {
    /// What times are that the container does not tell.
    public static final long NO_TIME = AvPacket.NO_TIME;

    private static final int FLAG_DISCARD = 4;

    private Packet(MemorySegment packet) {
        super(packet);
    }

    /// An empty packet.
    public static Packet create() {
        FfmpegLibraries.require();
        return new Packet(AvPacket.alloc());
    }

    /// The number of its stream.
    public int stream() {
        return AvPacket.stream(pointer());
    }

    /// When its frame is presented, in ticks, or [#NO_TIME].
    public long pts() {
        return AvPacket.pts(pointer());
    }

    /// When it is decoded, in ticks, or [#NO_TIME].
    public long dts() {
        return AvPacket.dts(pointer());
    }

    /// How long its frame lasts, in ticks, 0 if unknown.
    public long duration() {
        return AvPacket.duration(pointer());
    }

    /// The byte of the file at which it begins, -1 if unknown.
    public long position() {
        return AvPacket.position(pointer());
    }

    /// Whether decoding can begin with it.
    public boolean isKeyFrame() {
        return AvPacket.isKey(pointer());
    }

    /// Whether decoding of stream `from` can begin with it so that it, and everything presented later, comes out: a
    /// key frame, and not the first of the frames that refresh a stream part by part (H.264 and HEVC with intra
    /// refresh), which files mark as key frames too. What comes out behind such a refresh may differ from what it
    /// is when all is decoded.
    public boolean isCleanStart(StreamInfo from) {
        return isKeyFrame() && !GradualRefresh.beginsAt(AvPacket.data(pointer()), from);
    }

    static boolean isShown(MemorySegment packet, StreamInfo from) {
        return shownFrames(packet, from) > 0;
    }

    /// How many frames of it are shown: 0 or 1, more in rare files of several resolutions.
    public int shownFrames(StreamInfo from) {
        return shownFrames(pointer(), from);
    }

    private static int shownFrames(MemorySegment packet, StreamInfo from) {
        return (AvPacket.flags(packet) & FLAG_DISCARD) != 0
                ? 0
                : ShownFrames.count(from.parameters().codec(), AvPacket.data(packet));
    }

    /// The bytes of the payload.
    public int byteSize() {
        return AvPacket.size(pointer());
    }

    /// The payload, valid until the packet is filled again or closed.
    public MemorySegment data() {
        return AvPacket.data(pointer()).asReadOnly();
    }

    /// The `AVPacket`, for other native code; FFmpeg's memory, valid until the packet is filled again or closed.
    public MemorySegment nativePacket() {
        return pointer();
    }

    /// Another packet that shares the payload; the caller owns it.
    public Packet copy() {
        Packet copy = create();
        AvPacket.ref(copy.pointer(), pointer());
        return copy;
    }

    @Override
    protected void free(MemorySegment packet) {
        AvPacket.free(packet);
    }

    @Override
    public String toString() {
        return isOpen()
                ? "packet of stream " + stream() + " at tick " + pts() + ", " + byteSize() + " bytes"
                : "packet";
    }
}
