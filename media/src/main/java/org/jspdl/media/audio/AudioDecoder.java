package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes audio as one [AudioSpec] says.
///
/// Any number of threads may use a decoder at once. Each call borrows a context and returns it, so memory grows with
/// the number of calls at once. Calls are native for most of their time: run them on platform threads. The owner closes
/// the decoder; calls still running then finish and free theirs.
///
/// Floats at a file's own rate and channels take a short way where there is one: WAV files and memory are read by our
/// own parser, FLAC by libFLAC where the machine has it. The samples are the same either way.
public final class AudioDecoder implements AutoCloseable {
    private final AudioSpec spec;
    private final ContextPool<AudioDecodeContext> contexts;
    private final ContextPool<FastAudioPath> shortcuts;

    private AudioDecoder(AudioSpec spec) {
        this.spec = spec;
        this.contexts = new ContextPool<>(() -> new AudioDecodeContext(spec));
        this.shortcuts = new ContextPool<>(() -> new FastAudioPath(spec));
    }

    /// A decoder.
    public static AudioDecoder create(AudioSpec spec) {
        return new AudioDecoder(spec);
    }

    /// What the decoder makes of each sound.
    public AudioSpec spec() {
        return spec;
    }

    private interface Work<T> {
        T with(AudioDecodeContext context, Demuxer demuxer, StreamInfo stream);
    }

    private <T> T run(MediaSource source, Work<T> work) {
        return contexts.with(context -> {
            try (Demuxer demuxer = Demuxer.open(source, options())) {
                Optional<StreamInfo> stream = demuxer.info().best(StreamInfo.Kind.AUDIO);
                if (stream.isEmpty()) {
                    demuxer.inspect();
                }
                return work.with(context, demuxer, demuxer.info().require(StreamInfo.Kind.AUDIO));
            } catch (ArithmeticException beyond) {
                throw MediaException.of(
                        source.name(), "has times, or is asked for some, that are beyond what can be counted", beyond);
            }
        });
    }

    private Optional<SampleBuffer> directly(MediaSource source, FastAudioPath.Buffers buffers) {
        return FastAudioPath.isFor(spec)
                ? shortcuts.with(shortcut -> shortcut.read(source, buffers))
                : Optional.empty();
    }

    /// Packets tell a sound decoder what the header does not, so the header is enough.
    private DemuxOptions options() {
        return DemuxOptions.standard()
                .inspection(DemuxOptions.Inspection.HEADER)
                .limits(spec.decoding().limits());
    }

    /// Decodes a sound; the caller owns the tensor.
    ///
    /// @throws MediaException if it can't be read or decoded, or is beyond a limit
    public Tensor decode(MediaSource source, BufferPool pool) {
        Optional<SampleBuffer> direct =
                directly(source, (channels, samples) -> FastAudioPath.buffer(spec, source, channels, samples, pool));
        if (direct.isPresent()) {
            try (SampleBuffer samples = direct.get()) {
                return samples.finish();
            }
        }
        return run(source, (context, demuxer, stream) -> context.decode(demuxer, stream, pool));
    }

    /// Decodes a sound of fixed length and channels into a row of a batch; how many samples of each channel it has:
    /// what follows is silence, to be masked.
    ///
    /// @throws MediaException if it can't be read or decoded, or is beyond a limit
    /// @throws IllegalArgumentException if `row` has another size, or is not native
    public long decodeInto(MediaSource source, MemorySegment row) {
        long needed = Tensor.byteSize(spec.elements(), spec.rowShape());
        if (row.byteSize() != needed || !row.isNative()) {
            throw new IllegalArgumentException("the sound takes " + needed + " bytes of native memory but the row has "
                    + row.byteSize() + (row.isNative() ? "" : " on the heap"));
        }
        Optional<SampleBuffer> direct = directly(source, (_, _) -> FastAudioPath.buffer(spec, source, row));
        if (direct.isPresent()) {
            try (SampleBuffer samples = direct.get()) {
                samples.pad();
                return samples.count();
            }
        }
        return run(source, (context, demuxer, stream) -> context.decodeInto(demuxer, stream, row));
    }

    @Override
    public void close() {
        contexts.close();
        shortcuts.close();
    }
}
