package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvError;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvLog;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.ffmpeg.filter.AvFilter;
import org.jspdl.media.internal.lifetime.NativeHandle;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspecify.annotations.Nullable;

/// Runs frames through FFmpeg's filters, in the language of its command line: `scale=320:-1,hflip`, `atempo=2`.
///
/// A graph with one input and one output needs no labels; others name theirs, as in `[a][b]hstack[out]`. It is built
/// when every input has had a frame, whose format all later ones must have. Owned by whoever made it, who closes it;
/// used by one thread at a time.
public final class FilterGraph implements AutoCloseable {
    private static final String ONLY_INPUT = "in";
    private static final String ONLY_OUTPUT = "out";

    private final String description;
    private final List<String> outputs;
    private final Map<String, Input> inputs = new LinkedHashMap<>();
    private final Map<String, Queue<Frame>> waiting = new LinkedHashMap<>();
    private @Nullable Graph graph;

    /// What frames of one input look like.
    private record Input(Map<String, Object> traits, Rational timeBase, StreamInfo.Kind kind, String source) {
        private static final Input UNKNOWN = new Input(Map.of(), Rational.ONE, StreamInfo.Kind.OTHER, "");

        static Input of(Frame frame) {
            Map<String, Object> traits = new LinkedHashMap<>();
            StringBuilder source = new StringBuilder(128);
            if (frame.kind() == StreamInfo.Kind.AUDIO) {
                String layout = AvNames.channelLayout(AvFrame.channelLayout(frame.nativeFrame()));
                traits.put("format", frame.format());
                traits.put("rate", frame.sampleRate());
                traits.put("channels", layout);
                source.append("abuffer@%s=sample_rate=")
                        .append(frame.sampleRate())
                        .append(":sample_fmt=")
                        .append(frame.format())
                        .append(":channel_layout=")
                        .append(layout.endsWith("channels") ? frame.channels() + "c" : layout);
            } else {
                traits.put("width", frame.width());
                traits.put("height", frame.height());
                traits.put("format", frame.format());
                traits.put("color space", frame.colorSpace());
                traits.put("full range", frame.isFullRange());
                source.append("buffer@%s=video_size=")
                        .append(frame.width())
                        .append('x')
                        .append(frame.height())
                        .append(":pix_fmt=")
                        .append(frame.format())
                        .append(":colorspace=")
                        .append(frame.colorSpace())
                        .append(":range=")
                        .append(frame.colorRange());
            }
            source.append(":time_base=")
                    .append(frame.timeBase().numerator())
                    .append('/')
                    .append(frame.timeBase().denominator());
            return new Input(traits, frame.timeBase(), frame.kind(), source.toString());
        }
    }

    /// The C object and its ends.
    private static final class Graph extends NativeHandle {
        Graph(MemorySegment graph) {
            super(graph);
        }

        @Override
        protected void free(MemorySegment graph) {
            AvFilter.free(graph);
        }

        MemorySegment graph() {
            return pointer();
        }

        MemorySegment end(String name) {
            MemorySegment filter = AvFilter.filter(pointer(), name);
            if (filter.address() == 0) {
                throw new IllegalStateException("the filter graph has no " + name);
            }
            return filter;
        }
    }

    private FilterGraph(List<String> inputs, String description, List<String> outputs) {
        this.description = description;
        this.outputs = List.copyOf(outputs);
        for (String input : inputs) {
            this.inputs.put(input, Input.UNKNOWN);
            this.waiting.put(input, new ArrayDeque<>());
        }
    }

    /// A graph with one input and one output, such as `hflip`; it may name them `[in]` and `[out]`.
    public static FilterGraph of(String description) {
        boolean labelled = description.contains("[in]") && description.contains("[out]");
        return of(List.of(ONLY_INPUT), labelled ? description : "[in]" + description + "[out]", List.of(ONLY_OUTPUT));
    }

    /// A graph with labelled inputs and outputs, such as `[a][b]hstack[out]`.
    public static FilterGraph of(List<String> inputs, String description, List<String> outputs) {
        FfmpegLibraries.require();
        if (inputs.isEmpty() || outputs.isEmpty()) {
            throw new IllegalArgumentException("a filter graph needs at least one input and one output");
        }
        return new FilterGraph(inputs, description, outputs);
    }

    /// Takes frames and gives those that are ready, for a graph with one input and one output. The caller owns
    /// them.
    ///
    /// @throws IllegalArgumentException if the description is wrong, or the frames differ from those before
    public Frames filter(Frames frames) {
        add(inputs.keySet().iterator().next(), frames);
        return take(outputs.getFirst());
    }

    /// Takes frames for one input.
    ///
    /// @throws IllegalArgumentException if the description is wrong, or the frames differ from those before
    public void add(String input, Frames frames) {
        Queue<Frame> queue = waiting.get(input);
        if (queue == null) {
            throw new IllegalArgumentException("the filter graph '" + description + "' has no input " + input);
        }
        for (Frame frame : frames.release("were taken by a filter graph")) {
            queue.add(frame);
        }
        Frame first = queue.peek();
        if (first != null && inputs.get(input) == Input.UNKNOWN) {
            inputs.put(input, Input.of(first));
        }
        if (inputs.values().stream().noneMatch(one -> one == Input.UNKNOWN)) {
            Graph built = build();
            for (String name : inputs.keySet()) {
                feed(built, name);
            }
        }
    }

    private void feed(Graph built, String name) {
        Input expected = inputs.getOrDefault(name, Input.UNKNOWN);
        MemorySegment source = built.end((expected.kind == StreamInfo.Kind.AUDIO ? "abuffer@" : "buffer@") + name);
        Queue<Frame> queue = waiting.getOrDefault(name, new ArrayDeque<>());
        while (!queue.isEmpty()) {
            try (Frame frame = queue.remove()) {
                check(name, expected, frame);
                AvFrame.times(frame.nativeFrame(), frame.pts(), frame.duration());
                int status = AvFilter.add(source, frame.nativeFrame());
                if (status < 0) {
                    throw failed(AvCodec.errorText(status));
                }
            }
        }
    }

    private void check(String name, Input expected, Frame frame) {
        Map<String, Object> now = Input.of(frame).traits;
        if (!now.equals(expected.traits)) {
            StringBuilder differences = new StringBuilder(64);
            expected.traits.forEach((trait, before) -> {
                Object after = now.get(trait);
                if (!before.equals(after)) {
                    differences
                            .append(differences.isEmpty() ? "" : ", ")
                            .append(trait)
                            .append(" was ")
                            .append(before)
                            .append(" and is ")
                            .append(after);
                }
            });
            throw failed("frames of input " + name + " change: " + differences);
        }
    }

    private Graph build() {
        Graph known = graph;
        if (known != null) {
            return known;
        }
        StringBuilder whole = new StringBuilder(256);
        inputs.forEach((name, input) -> whole.append(input.source.replace("%s", name))
                .append('[')
                .append(name)
                .append("];"));
        whole.append(description);
        StreamInfo.Kind kind = inputs.values().iterator().next().kind;
        String sink = kind == StreamInfo.Kind.AUDIO && !description.contains("show") ? "abuffersink@" : "buffersink@";
        for (String output : outputs) {
            whole.append(";[").append(output).append(']').append(sink).append(output);
        }
        Graph built = new Graph(AvFilter.alloc());
        StringBuilder explanation = new StringBuilder();
        int status = AvLog.explained(() -> AvFilter.build(built.graph(), whole.toString()), explanation);
        if (status < 0) {
            built.close();
            throw failed(explanation.isEmpty() ? AvCodec.errorText(status) : explanation.toString());
        }
        graph = built;
        return built;
    }

    private IllegalArgumentException failed(String reason) {
        return new IllegalArgumentException("filter graph '" + description + "': " + reason);
    }

    /// The frames that are ready at an output; the caller owns them.
    public Frames take(String output) {
        if (!outputs.contains(output)) {
            throw new IllegalArgumentException("the filter graph '" + description + "' has no output " + output);
        }
        Frames frames = new Frames();
        Graph built = graph;
        if (built == null) {
            return frames;
        }
        MemorySegment sink = AvFilter.filter(built.graph(), "buffersink@" + output);
        if (sink.address() == 0) {
            sink = built.end("abuffersink@" + output);
        }
        int[] unit = AvFilter.timeBase(sink);
        StreamInfo.Kind kind = AvFilter.type(sink) == 1 ? StreamInfo.Kind.AUDIO : StreamInfo.Kind.VIDEO;
        try (Frame frame = Frame.create()) {
            int status = AvFilter.take(sink, frame.nativeFrame());
            while (status >= 0) {
                frame.begin(kind, Rational.of(unit[0], unit[1]), AvFrame.pts(frame.nativeFrame()));
                frames.take(frame);
                status = AvFilter.take(sink, frame.nativeFrame());
            }
            if (status != AvError.AGAIN && status != AvError.END) {
                throw failed(AvCodec.errorText(status));
            }
            return frames;
        } catch (Throwable failure) {
            frames.close();
            throw failure;
        }
    }

    /// FFmpeg's drawing of the filters and of what flows between them, the converters that it added included; the
    /// graph is built when its first frames have come.
    ///
    /// @throws IllegalStateException if no frames have come
    public String dump() {
        Graph built = graph;
        if (built == null) {
            throw new IllegalStateException(this + " is built when its first frames have come");
        }
        return AvFilter.dump(built.graph());
    }

    /// Says that no frames follow, and gives what remains, for a graph with one output. The caller owns the frames.
    public Frames flush() {
        end();
        return take(outputs.getFirst());
    }

    /// Says that no frames follow at any input; [#take] gives what remains.
    public void end() {
        Graph built = graph;
        if (built != null) {
            inputs.forEach((name, input) -> AvFilter.add(
                    built.end((input.kind == StreamInfo.Kind.AUDIO ? "abuffer@" : "buffer@") + name),
                    MemorySegment.NULL));
        }
    }

    @Override
    public void close() {
        waiting.values().forEach(queue -> {
            queue.forEach(Frame::close);
            queue.clear();
        });
        Graph built = graph;
        if (built != null) {
            built.close();
        }
    }

    @Override
    public String toString() {
        return "FilterGraph[" + description + "]";
    }
}
