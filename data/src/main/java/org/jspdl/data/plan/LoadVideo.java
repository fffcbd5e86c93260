package org.jspdl.data.plan;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.IsolationParameters;
import org.jspdl.media.image.Layout;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.media.video.FrameIndex;
import org.jspdl.media.video.FrameSampling;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `load-video`: frames of a video become a tensor, each frame as [ImageParameters] say.
final class LoadVideo {
    /// Which frames are taken.
    enum Sampling {
        /// Those from `start` on, at `frame-rate` if one is given.
        START,
        /// Evenly spread over the video.
        EVENLY,
        /// One at random of each of as many equal parts.
        STRATIFIED,
        /// `stride` apart, from a random one on.
        RANDOM
    }

    /// Where frames and channels lie: time, height, width, channels.
    enum FrameLayout {
        THWC,
        TCHW,
        CTHW
    }

    private static final Parameter<List<String>> FROM =
            FieldLoading.from("file", "mp4", "mkv", "webm", "avi", "mov", "m4v", "mpg", "video");
    private static final Parameter<String> TO = FieldLoading.to("video");
    private static final Parameter<Integer> FRAMES =
            Parameter.count("frames", 1, 100_000).orElse(16);
    private static final Parameter<Integer> STRIDE =
            Parameter.count("stride", 1, 100_000).orElse(1);
    private static final Parameter<Sampling> SAMPLING =
            Parameter.choice("sampling", Sampling.class).orElse(Sampling.START);
    private static final Parameter<Double> FRAME_RATE =
            Parameter.decimal("frame-rate", 0, 1000).orElse(0.0);
    private static final Parameter<Double> START =
            Parameter.decimal("start", 0, 1e9).orElse(0.0);
    private static final Parameter<FrameLayout> LAYOUT =
            Parameter.choice("layout", FrameLayout.class).orElse(FrameLayout.TCHW);

    private final VideoDecoder decoder;
    private final BufferPool pool;
    private final Sampling sampling;
    private final int frames;
    private final int stride;

    private LoadVideo(VideoDecoder decoder, BufferPool pool, Sampling sampling, int frames, int stride) {
        this.decoder = decoder;
        this.pool = pool;
        this.sampling = sampling;
        this.frames = frames;
        this.stride = stride;
    }

    static Operation operation() {
        return Operation.seeded(
                "load-video",
                SampleOperations.SAMPLE,
                SampleOperations.SAMPLE,
                LoadVideo::make,
                ImageParameters.ofFrames(
                        FROM,
                        TO,
                        FRAMES,
                        STRIDE,
                        SAMPLING,
                        FRAME_RATE,
                        START,
                        LAYOUT,
                        IsolationParameters.ISOLATION,
                        IsolationParameters.DECODE_DEADLINE));
    }

    private static FieldLoading make(Arguments given) {
        Sampling sampling = given.get(SAMPLING);
        if (sampling != Sampling.START && (given.get(FRAME_RATE) > 0 || given.get(START) > 0)) {
            throw new IllegalArgumentException("'frame-rate' and 'start' go with sampling: start only");
        }
        if (sampling != Sampling.RANDOM && given.get(STRIDE) > 1) {
            throw new IllegalArgumentException("'stride' goes with sampling: random only; see also 'frame-rate'");
        }
        BufferPool pool = given.keep(BufferPool.unbounded("clips"));
        VideoDecoder decoder = given.keep(VideoDecoder.create(spec(given), IsolationParameters.of(given)));
        LoadVideo loading = new LoadVideo(decoder, pool, sampling, given.get(FRAMES), given.get(STRIDE));
        return new FieldLoading(
                given.get(FROM),
                given.get(TO),
                (encoded, sample, random) -> encoded.open(pool, sample.name(), source -> loading.load(source, random)));
    }

    private static VideoSpec spec(Arguments given) {
        FrameLayout layout = given.get(LAYOUT);
        VideoSpec spec = VideoSpec.of(
                        ImageParameters.spec(given, layout == FrameLayout.THWC ? Layout.NHWC : Layout.NCHW))
                .frames(given.get(FRAMES));
        if (given.get(START) > 0) {
            spec = spec.window(TimeWindow.from(Rational.parse(Double.toString(given.get(START)))));
        }
        if (given.get(FRAME_RATE) > 0) {
            spec = spec.frameRate(given.get(FRAME_RATE));
        }
        return layout == FrameLayout.CTHW ? spec.channelsOutermost() : spec;
    }

    private Tensor load(MediaSource source, RandomGenerator random) {
        if (sampling == Sampling.START) {
            return decoder.decode(source, pool, random);
        }
        FrameIndex index = decoder.index(source);
        int[] numbers = switch (sampling) {
            case START -> throw new AssertionError();
            case EVENLY -> FrameSampling.evenly(index.frames(), frames);
            case STRATIFIED -> FrameSampling.stratified(index.frames(), frames, random);
            case RANDOM ->
                FrameSampling.randomClips(index.frames(), 1, frames, stride, random)
                        .getFirst();
        };
        return decoder.frames(source, index, numbers, pool, random);
    }
}
