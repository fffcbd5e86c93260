package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;

/// Room for one decoded picture, or a piece of sound, to be filled again and again by [Decoder#receive].
///
/// Owned by whoever made it, who closes it; used by one thread at a time. Planes are views of FFmpeg's memory, valid
/// until the frame is filled again or closed.
@SuppressWarnings("exports") // users see only close() of the handle
public final class Frame extends NativeHandle {
    private StreamInfo.Kind kind = StreamInfo.Kind.OTHER;
    private Rational timeBase = Rational.ONE;
    private long pts = AvPacket.NO_TIME;

    private Frame(MemorySegment frame) {
        super(frame);
    }

    /// An empty frame.
    public static Frame create() {
        FfmpegLibraries.require();
        return new Frame(AvFrame.alloc());
    }

    void begin(StreamInfo stream) {
        begin(stream.kind(), stream.timeBase(), AvFrame.bestTime(pointer()));
    }

    void begin(StreamInfo.Kind newKind, Rational newTimeBase, long newPts) {
        kind = newKind;
        timeBase = newTimeBase;
        pts = newPts;
    }

    /// Takes the content of `other`, which is empty afterwards.
    void moveFrom(Frame other) {
        AvFrame.move(pointer(), other.nativeFrame());
        begin(other.kind, other.timeBase, other.pts);
    }

    /// Shares the content of `other`.
    void shareWith(Frame other) {
        AvFrame.ref(pointer(), other.nativeFrame());
        begin(other.kind, other.timeBase, other.pts);
    }

    /// Drops the samples outside of a span of time; false if none remain.
    boolean trimTo(TimeWindow window) {
        if (window.isAll() || pts == AvPacket.NO_TIME) {
            return true;
        }
        Rational sample = Rational.of(1, Math.max(1, sampleRate()));
        Rational begin = Rational.of(pts).times(timeBase);
        long from = window.start().minus(begin).dividedBy(sample).ceil();
        long to = window.end()
                .map(end -> end.minus(begin).dividedBy(sample).ceil())
                .orElse(Long.MAX_VALUE);
        return trimSamples(from, to);
    }

    /// Keeps only the samples from `from` to before `to`, as far as there are such; false if none remain, and the
    /// frame is to be left out.
    public boolean trimSamples(long from, long to) {
        int first = (int) Math.clamp(from, 0L, samples());
        int end = (int) Math.clamp(to, 0L, samples());
        if (first >= end) {
            return false;
        }
        if (first > 0 || end < samples()) {
            int format = AvFrame.format(pointer());
            int bytes = SampleFormat.of(format).byteSize();
            boolean planar = SampleFormat.isPlanar(format);
            Rational skipped = Rational.of(first, Math.max(1, sampleRate()));
            AvFrame.trim(pointer(), first, end - first, planar ? channels() : 1, planar ? bytes : bytes * channels());
            pts = pts == AvPacket.NO_TIME
                    ? pts
                    : pts + skipped.dividedBy(timeBase).round();
        }
        return true;
    }

    /// Whether this is a picture or sound.
    public StreamInfo.Kind kind() {
        return kind;
    }

    /// The unit of [#pts], in seconds.
    public Rational timeBase() {
        return timeBase;
    }

    /// When the frame is presented, in ticks of [#timeBase], or [Packet#NO_TIME].
    public long pts() {
        return pts;
    }

    /// When the frame is presented, in seconds.
    public Optional<Rational> time() {
        return pts == AvPacket.NO_TIME
                ? Optional.empty()
                : Optional.of(Rational.of(pts).times(timeBase));
    }

    /// How long it lasts, in ticks, 0 if unknown.
    public long duration() {
        return AvFrame.duration(pointer());
    }

    /// Whether it was decoded without others.
    public boolean isKeyFrame() {
        return AvFrame.isKey(pointer());
    }

    /// Pixels in a row.
    public int width() {
        return AvFrame.width(pointer());
    }

    /// Rows.
    public int height() {
        return AvFrame.height(pointer());
    }

    /// The pixel or sample format, such as `yuv420p` or `fltp`.
    public String format() {
        int format = AvFrame.format(pointer());
        return kind == StreamInfo.Kind.AUDIO ? AvNames.sampleFormat(format) : AvNames.pixelFormat(format);
    }

    /// FFmpeg's number of the format.
    public int formatNumber() {
        return AvFrame.format(pointer());
    }

    /// FFmpeg's number of the color space (`AVColorSpace`): 1 is BT.709, 2 unknown, 5 and 6 BT.601, 9 BT.2020.
    public int colorSpace() {
        return AvFrame.colorSpace(pointer());
    }

    /// FFmpeg's number of the range (`AVColorRange`): 0 unknown, 1 limited, 2 full.
    public int colorRange() {
        return AvFrame.colorRange(pointer());
    }

    /// FFmpeg's number of the place of chroma between pixels (`AVChromaLocation`): 1 is left, 2 center.
    public int chromaLocation() {
        return AvFrame.chromaLocation(pointer());
    }

    /// Whether black is 0, rather than 16 as is usual in video.
    public boolean isFullRange() {
        return AvFrame.isFullRange(pointer()) || format().startsWith("yuvj");
    }

    /// Samples of each channel.
    public int samples() {
        return AvFrame.samples(pointer());
    }

    /// Samples a second.
    public int sampleRate() {
        return AvFrame.sampleRate(pointer());
    }

    /// Channels.
    public int channels() {
        return AvFrame.channels(pointer());
    }

    /// Bytes from one line of a plane to the next; negative if the picture is stored from below.
    public int stride(int plane) {
        return AvFrame.lineSize(pointer(), plane);
    }

    /// Where the first line of a plane begins, for native code.
    public long planeAddress(int plane) {
        return AvFrame.data(pointer(), plane, 0).address();
    }

    /// A plane of a picture: `rows` lines of [#stride] bytes.
    ///
    /// @throws IllegalStateException if it is stored from below, so that nothing begins at its first line
    public MemorySegment plane(int plane, int rows) {
        if (stride(plane) < 0) {
            throw new IllegalStateException(this + " is stored from below: its other lines lie before its first one, at"
                    + " planeAddress(" + plane + ")");
        }
        return AvFrame.data(pointer(), plane, (long) rows * stride(plane));
    }

    /// A plane of sound: the samples of one channel in a planar format, else all samples.
    public MemorySegment soundPlane(int plane) {
        int format = AvFrame.format(pointer());
        long bytes = (long) samples() * SampleFormat.of(format).byteSize();
        return AvFrame.soundPlane(pointer(), plane, SampleFormat.isPlanar(format) ? bytes : bytes * channels());
    }

    /// The `AVFrame`, for other native code; FFmpeg's memory, valid until the frame is filled again or closed.
    public MemorySegment nativeFrame() {
        return pointer();
    }

    @Override
    protected void free(MemorySegment frame) {
        AvFrame.free(frame);
    }

    @Override
    public String toString() {
        return isOpen()
                ? "frame of format " + format() + " at "
                        + time().map(Rational::toString).orElse("no time")
                : "frame";
    }
}
