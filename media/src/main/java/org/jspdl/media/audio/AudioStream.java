package org.jspdl.media.audio;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.FilterGraph;
import org.jspdl.media.frame.Frames;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.PacketChunks;
import org.jspdl.media.stream.Packets;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.jspecify.annotations.Nullable;

/// A sound of any length in pieces of equal length, in constant memory.
///
/// Owned by whoever opened it, who closes it; used by one thread at a time.
public final class AudioStream implements AutoCloseable {
    private final Demuxer demuxer;
    private final StreamInfo stream;
    private final PacketChunks chunks;
    private final Decoder decoder;
    private final AudioSpec spec;
    private final int samples;
    private @Nullable FilterGraph pieces;
    private final Queue<Frames> ready = new ArrayDeque<>();
    private boolean ended;

    private AudioStream(Demuxer demuxer, StreamInfo stream, AudioSpec spec, int samples) {
        this.demuxer = demuxer;
        this.stream = stream;
        this.chunks = demuxer.chunks(
                stream, Math.max(1, Rational.ONE.dividedBy(stream.timeBase()).floor()));
        this.decoder = Decoder.open(stream, spec.decoding());
        this.spec = spec;
        this.samples = samples;
    }

    /// Opens a source; each piece has `samples` samples of each channel, the last one maybe fewer.
    ///
    /// @param spec without a window or a number of samples
    /// @throws org.jspdl.input.MediaException if it cannot be opened, or there is no sound in it
    public static AudioStream open(MediaSource source, AudioSpec spec, int samples) {
        if (samples < 1 || spec.samples() > 0 || !spec.window().isAll()) {
            throw new IllegalArgumentException(
                    "a stream needs pieces of at least 1 sample and a spec without window and samples, but got "
                            + samples + " and " + spec);
        }
        Demuxer demuxer = Demuxer.open(
                source, DemuxOptions.standard().limits(spec.decoding().limits()));
        try {
            return new AudioStream(demuxer, demuxer.info().require(StreamInfo.Kind.AUDIO), spec, samples);
        } catch (Throwable failure) {
            demuxer.close();
            throw failure;
        }
    }

    /// @param channels of the sound, which are mixed only if the spec has another number
    private static String description(AudioSpec spec, int samples, int channels) {
        SampleType type = SampleType.of(spec.elements());
        String name = type == null ? "flt" : type.ffmpegName();
        String layouts = switch (spec.channels() == channels ? 0 : spec.channels()) {
            case 0 -> "";
            case 1 -> ":channel_layouts=mono";
            case 2 -> ":channel_layouts=stereo";
            default -> ":channel_layouts=" + spec.channels() + "c";
        };
        return "aformat=sample_fmts=" + name + (spec.layout() == SampleLayout.PLANAR ? "p" : "")
                + (spec.sampleRateHz() > 0 ? ":sample_rates=" + spec.sampleRateHz() : "") + layouts
                + ",asetnsamples=n=" + samples + ":p=0";
    }

    /// The next piece, owned by the caller; empty at the end.
    ///
    /// @throws org.jspdl.input.MediaException if the source can't be read or decoded
    public Optional<Tensor> next(BufferPool pool) {
        while (ready.isEmpty() && !ended) {
            Optional<Packets> chunk = chunks.next();
            if (chunk.isPresent()) {
                cut(decoder.decode(chunk.get()));
            } else {
                ended = true;
                cut(decoder.flush());
                if (pieces != null) {
                    split(pieces.flush());
                }
            }
        }
        if (ready.isEmpty()) {
            return Optional.empty();
        }
        try (Frames piece = ready.remove()) {
            return Optional.of(piece.toTensor(pool));
        }
    }

    private void cut(Frames decoded) {
        FilterGraph graph = pieces;
        if (graph == null) {
            if (decoded.count() == 0) {
                decoded.close();
                return;
            }
            graph = FilterGraph.of(description(spec, samples, decoded.get(0).channels()));
            pieces = graph;
        }
        try {
            split(graph.filter(decoded));
        } catch (IllegalArgumentException changed) {
            throw stream.failure("cannot be cut into pieces: " + changed.getMessage());
        }
    }

    private void split(Frames frames) {
        try (frames) {
            for (int i = 0; i < frames.count(); i++) {
                ready.add(frames.pick(List.of(i)));
            }
        }
    }

    @Override
    public void close() {
        ready.forEach(Frames::close);
        ready.clear();
        if (pieces != null) {
            pieces.close();
        }
        decoder.close();
        demuxer.close();
    }
}
