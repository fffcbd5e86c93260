package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaException;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes sound to what one [AudioSpec] asks for.
///
/// Any number of threads may use a decoder at once. Each call borrows a context and returns it, so memory grows with
/// the number of calls at once. Calls are native for most of their time: run them on platform threads. The owner closes
/// the decoder; calls still running then finish and free theirs.
public final class AudioDecoder implements AutoCloseable {
    private final AudioSpec spec;
    private final ConcurrentLinkedDeque<SoundContext> idle = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private AudioDecoder(AudioSpec spec) {
        this.spec = spec;
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
        T with(SoundContext context, Demuxer demuxer, StreamInfo stream);
    }

    private <T> T run(MediaSource source, Work<T> work) {
        if (closed.get()) {
            throw new IllegalStateException("the decoder is closed");
        }
        SoundContext idling = idle.pollLast();
        SoundContext context = idling == null ? new SoundContext(spec) : idling;
        try (Demuxer demuxer = Demuxer.open(source, options())) {
            Optional<StreamInfo> stream = demuxer.info().best(StreamInfo.Kind.AUDIO);
            if (stream.isEmpty()) {
                demuxer.inspect();
            }
            return work.with(context, demuxer, demuxer.info().require(StreamInfo.Kind.AUDIO));
        } finally {
            idle.addLast(context);
            if (closed.get()) {
                freeIdle();
            }
        }
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
        return run(source, (context, demuxer, stream) -> context.decodeInto(demuxer, stream, row));
    }

    private void freeIdle() {
        SoundContext context = idle.pollLast();
        while (context != null) {
            context.close();
            context = idle.pollLast();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            freeIdle();
        }
    }
}
