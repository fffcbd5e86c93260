package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.IsolationStats;
import org.jspdl.media.internal.isolation.MediaCall;
import org.jspdl.media.internal.isolation.MediaIsolation;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.internal.lifetime.SourceView;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Decodes audio as one [AudioSpec] says.
///
/// Any number of threads may use a decoder at once. Each call borrows a context and returns it, so memory grows with
/// the number of calls at once. Calls are native for most of their time: run them on platform threads. The owner closes
/// the decoder; calls still running then finish and free theirs, but those in helper processes fail.
///
/// Floats at a file's own rate and channels take a short way where there is one: WAV files and memory are read by our
/// own parser, FLAC by libFLAC where the machine has it, whole MP3 files by FFmpeg's decoder without its demuxer. The
/// samples are the same either way.
///
/// Files that crashed or exceeded the deadline before, or all if asked for, are decoded in helper processes
/// ([Isolation]), with the same samples and errors; WAV files that take the short way are not, as no native code sees
/// them.
public final class AudioDecoder implements AutoCloseable {
    private final AudioSpec spec;
    /// Made when a helper is asked first.
    private volatile AudioCall.@Nullable Requests requests;

    private final ContextPool<AudioDecodeContext> contexts;
    private final ContextPool<FastAudioPath> shortcuts;
    private final MediaIsolation isolation;

    private AudioDecoder(AudioSpec spec, MediaIsolation isolation) {
        this.spec = spec;
        this.contexts = new ContextPool<>(() -> new AudioDecodeContext(spec));
        this.shortcuts = new ContextPool<>(() -> new FastAudioPath(spec));
        this.isolation = isolation;
    }

    /// A decoder that decodes files in helper processes that crashed or took 10 minutes before.
    public static AudioDecoder create(AudioSpec spec) {
        return create(spec, Isolation.forMedia());
    }

    /// A decoder that decodes some files, or all, in helper processes.
    public static AudioDecoder create(AudioSpec spec, Isolation isolation) {
        return create(spec, new MediaIsolation(isolation, "sound", AudioHelper::command));
    }

    /// A decoder that owns `isolation`.
    static AudioDecoder create(AudioSpec spec, MediaIsolation isolation) {
        return new AudioDecoder(spec, isolation);
    }

    private AudioCall.Requests requests() {
        AudioCall.Requests made = requests;
        if (made == null) {
            made = AudioCall.Requests.of(spec);
            requests = made;
        }
        return made;
    }

    /// What the decoder makes of each sound.
    public AudioSpec spec() {
        return spec;
    }

    /// What happened to helper processes so far.
    public IsolationStats isolation() {
        return isolation.stats();
    }

    /// Where the samples of one sound go, and what its caller gets.
    private interface Target<T> {
        /// Memory for a sound of this form.
        SampleBuffer buffer(int channels, long samples);

        /// What the caller gets of a sound that took the short way.
        T finish(SampleBuffer samples);

        /// What the caller gets of one that FFmpeg decodes here.
        T decode(AudioDecodeContext context, Demuxer demuxer, StreamInfo stream);

        /// How a helper is asked.
        MediaCall<T> call();
    }

    private <T> T decode(MediaSource source, Target<T> target) {
        if (!FastAudioPath.isFor(spec)) {
            return isolation.run(source, () -> decodeHere(source, target), target::call);
        }
        if (isolation.isForAll()) {
            return isolation.runForAll(
                    source, FastAudioPath.SHORTEST, FastAudioPath::isWav, () -> wav(source, target), target::call);
        }
        try (SourceView view = source.view()) {
            Optional<T> wav = wav(view, target);
            if (wav.isPresent()) {
                return wav.get();
            }
            return isolation.run(
                    source,
                    view::key,
                    () -> {
                        Optional<SampleBuffer> coded = view.take(file ->
                                shortcuts.with(shortcut -> shortcut.readCoded(source.name(), file, target::buffer)));
                        return coded.isPresent() ? finish(coded.get(), target) : decodeHere(source, target);
                    },
                    target::call);
        }
    }

    private <T> Optional<T> wav(MediaSource source, Target<T> target) {
        try (SourceView view = source.view()) {
            return wav(view, target);
        }
    }

    private <T> Optional<T> wav(SourceView view, Target<T> target) {
        return view.take(file -> shortcuts.with(shortcut -> shortcut.readWav(file, target::buffer)))
                .map(samples -> finish(samples, target));
    }

    private static <T> T finish(SampleBuffer done, Target<T> target) {
        try (SampleBuffer samples = done) {
            return target.finish(samples);
        }
    }

    private <T> T decodeHere(MediaSource source, Target<T> target) {
        return contexts.with(context -> {
            try (Demuxer demuxer = Demuxer.open(source, options())) {
                Optional<StreamInfo> stream = demuxer.info().best(StreamInfo.Kind.AUDIO);
                if (stream.isEmpty()) {
                    demuxer.inspect();
                }
                return target.decode(context, demuxer, demuxer.info().require(StreamInfo.Kind.AUDIO));
            } catch (ArithmeticException beyond) {
                throw MediaException.of(
                        source.name(), "has times, or is asked for some, that are beyond what can be counted", beyond);
            }
        });
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
        return decode(source, pool::lease, () -> AudioCall.tensor(spec, requests(), pool));
    }

    /// Decodes a sound in this process, into memory from `leases`; the caller owns the tensor.
    Tensor decode(MediaSource source, LongFunction<Lease> leases) {
        return decode(source, leases, () -> {
            throw new IllegalStateException("a helper has no helpers");
        });
    }

    private Tensor decode(MediaSource source, LongFunction<Lease> leases, Supplier<MediaCall<Tensor>> call) {
        return decode(source, new Target<>() {
            @Override
            public SampleBuffer buffer(int channels, long samples) {
                return FastAudioPath.buffer(spec, source, channels, samples, leases);
            }

            @Override
            public Tensor finish(SampleBuffer samples) {
                return samples.finish();
            }

            @Override
            public Tensor decode(AudioDecodeContext context, Demuxer demuxer, StreamInfo stream) {
                return context.decode(demuxer, stream, leases);
            }

            @Override
            public MediaCall<Tensor> call() {
                return call.get();
            }
        });
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
        return decode(source, new Target<>() {
            @Override
            public SampleBuffer buffer(int channels, long samples) {
                return FastAudioPath.buffer(spec, source, row);
            }

            @Override
            public Long finish(SampleBuffer samples) {
                samples.pad();
                return samples.count();
            }

            @Override
            public Long decode(AudioDecodeContext context, Demuxer demuxer, StreamInfo stream) {
                return context.decodeInto(demuxer, stream, row);
            }

            @Override
            public MediaCall<Long> call() {
                return AudioCall.row(spec, requests(), row);
            }
        });
    }

    @Override
    public void close() {
        contexts.close();
        shortcuts.close();
        isolation.close();
    }
}
