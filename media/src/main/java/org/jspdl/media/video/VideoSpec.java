package org.jspdl.media.video;

import java.util.Objects;
import java.util.Optional;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// How videos are decoded: the image spec of the frames, which frames, and their layout in memory. Immutable.
///
/// Begin with the frames' look, which is an [ImageSpec] as for still images, and refine: by default all frames, `[N, H,
/// W, C]` or `[N, C, H, W]` as the image spec's layout says.
public final class VideoSpec {
    private final ImageSpec frame;
    private final TimeWindow window;
    private final Optional<Rational> frameRate;
    private final int frames;
    private final boolean channelsOutermost;
    private final DecodeOptions decoding;

    private VideoSpec(
            ImageSpec frame,
            TimeWindow window,
            Optional<Rational> frameRate,
            int frames,
            boolean channelsOutermost,
            DecodeOptions decoding) {
        this.frame = frame;
        this.window = window;
        this.frameRate = frameRate;
        this.frames = frames;
        this.channelsOutermost = channelsOutermost;
        this.decoding = decoding;
    }

    /// All frames, each as `frame` says.
    ///
    /// @throws IllegalArgumentException if `frame` asks for channels or elements that frames of a video can't have
    public static VideoSpec of(ImageSpec frame) {
        if (frame.channels() != Channels.RGB && frame.channels() != Channels.BGR && frame.channels() != Channels.GRAY) {
            throw new IllegalArgumentException("frames of a video become RGB, BGR or GRAY, not " + frame.channels());
        }
        if (frame.elements() != ElementType.UINT8
                && frame.elements() != ElementType.FLOAT32
                && frame.elements() != ElementType.FLOAT16
                && frame.elements() != ElementType.BFLOAT16) {
            throw new IllegalArgumentException(
                    "frames of a video become UINT8, FLOAT32, FLOAT16 or BFLOAT16, not " + frame.elements());
        }
        return new VideoSpec(frame, TimeWindow.all(), Optional.empty(), 0, false, DecodeOptions.standard());
    }

    /// All frames at their own size, as RGB bytes.
    public static VideoSpec original() {
        return of(ImageSpec.original());
    }

    /// This, with only the frames that are presented in a span of time.
    public VideoSpec window(TimeWindow other) {
        return new VideoSpec(frame, other, frameRate, frames, channelsOutermost, decoding);
    }

    /// This at another frame rate: frames are repeated or left out, each output showing the frame nearest in time,
    /// as FFmpeg's `fps` filter does.
    public VideoSpec frameRate(Rational rate) {
        if (rate.compareTo(Rational.ZERO) <= 0) {
            throw new IllegalArgumentException("a frame rate must be positive but was " + rate);
        }
        return new VideoSpec(frame, window, Optional.of(rate), frames, channelsOutermost, decoding);
    }

    /// This at another frame rate.
    public VideoSpec frameRate(double rate) {
        return frameRate(Rational.of(rate));
    }

    /// This with exactly `count` frames: later ones are left out, or the last one is repeated.
    public VideoSpec frames(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("frames must be at least 1 but were " + count);
        }
        return new VideoSpec(frame, window, frameRate, count, channelsOutermost, decoding);
    }

    /// This as `[C, N, H, W]`, which models with 3D convolutions take.
    ///
    /// @throws IllegalArgumentException if the frames' layout isn't `NCHW`
    public VideoSpec channelsOutermost() {
        if (frame.layout() != Layout.NCHW) {
            throw new IllegalArgumentException(
                    "channels can only be outermost when frames are planes: use layout(Layout.NCHW) in the image spec");
        }
        return new VideoSpec(frame, window, frameRate, frames, true, decoding);
    }

    /// This, decoded in another way or within other limits.
    public VideoSpec decoding(DecodeOptions options) {
        return new VideoSpec(frame, window, frameRate, frames, channelsOutermost, Objects.requireNonNull(options));
    }

    /// What each frame becomes.
    public ImageSpec frame() {
        return frame;
    }

    /// The span of time.
    public TimeWindow window() {
        return window;
    }

    /// The frame rate, if it is changed.
    public Optional<Rational> frameRate() {
        return frameRate;
    }

    /// The exact number of frames, 0 for as many as there are.
    public int frames() {
        return frames;
    }

    /// Whether the layout is `[C, N, H, W]`.
    public boolean isChannelsOutermost() {
        return channelsOutermost;
    }

    /// How it is decoded.
    public DecodeOptions decoding() {
        return decoding;
    }

    /// The shape of `count` frames of `width` x `height` pixels.
    Shape shape(int count, int width, int height) {
        int channels = frame.channels().count();
        if (channelsOutermost) {
            return Shape.of(channels, count, height, width);
        }
        return frame.layout() == Layout.NHWC
                ? Shape.of(count, height, width, channels)
                : Shape.of(count, channels, height, width);
    }

    @Override
    public String toString() {
        return "VideoSpec[" + frame + ", " + window
                + frameRate.map(rate -> ", " + rate + " frames/s").orElse("")
                + (frames > 0 ? ", " + frames + " frames" : "") + (channelsOutermost ? ", channels outermost" : "")
                + "]";
    }
}
