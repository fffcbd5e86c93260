package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.DecoderCache;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.lifetime.ContextPool;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// Everything that one decoding call needs to itself. Used by one thread at a time.
final class AudioDecodeContext implements ContextPool.Context {
    /// Sound decoders need some packets before the first sample that is exact.
    private static final Rational PREROLL = Rational.of(1, 2);
    /// How far beyond the window a packet must be to know that nothing more comes, if counting does not tell.
    private static final Rational MARGIN = Rational.of(1);

    private final AudioSpec spec;
    private final DecoderCache decoders;
    private final SampleConverter converter;
    private final Packet packet = Packet.create();
    private final Frame frame = Frame.create();

    AudioDecodeContext(AudioSpec spec) {
        this.spec = spec;
        this.decoders = new DecoderCache(spec.decoding());
        this.converter = new SampleConverter(spec);
    }

    /// Makes the buffer when the first frame tells what there is.
    private interface Buffers {
        SampleBuffer make(Frame first);
    }

    /// The sound as a tensor in memory from `leases`; the caller owns it.
    Tensor decode(Demuxer demuxer, StreamInfo stream, LongFunction<Lease> leases) {
        Buffers buffers = first -> new SampleBuffer(
                spec, refusal(stream), converter.channels(first), expected(first, demuxer, stream), leases);
        try (SampleBuffer samples = filled(demuxer, stream, buffers)) {
            return samples.finish();
        }
    }

    /// The sound into `row`; how many samples it has, the rest being silence.
    long decodeInto(Demuxer demuxer, StreamInfo stream, MemorySegment row) {
        Buffers buffers = _ -> new SampleBuffer(spec, refusal(stream), spec.channels(), row);
        try (SampleBuffer samples = filled(demuxer, stream, buffers)) {
            samples.pad();
            return samples.count();
        }
    }

    private static Function<String, MediaException> refusal(StreamInfo stream) {
        return reason -> stream.failure(reason);
    }

    private long expected(Frame first, Demuxer demuxer, StreamInfo stream) {
        // A header may claim anything; what it says is only where to begin.
        long samples = 0;
        try {
            Rational length =
                    stream.duration().or(() -> demuxer.info().duration()).orElse(Rational.ONE);
            if (spec.window().end().isPresent()) {
                Rational window = spec.window().end().get().minus(spec.window().start());
                length = window.compareTo(length) < 0 ? window : length;
            }
            samples = length.times(Rational.of(first.sampleRate())).ceil();
        } catch (ArithmeticException absurd) {
            // then the memory grows as samples come
        }
        long sensible = Math.clamp(samples, first.samples(), 1L << 26);
        return converter.samples(first, sensible);
    }

    private SampleBuffer filled(Demuxer demuxer, StreamInfo stream, Buffers buffers) {
        converter.begin();
        demuxer.select(stream);
        PacketTimes times = PacketTimes.of(demuxer.info().format(), stream);
        Decoder decoder = decoders.borrow(stream);
        try {
            SampleClock clock = new SampleClock(spec.window(), times, !seeks(stream, times));
            boolean more = seeks(stream, times) ? seek(demuxer, stream) : demuxer.read(packet);
            SampleBuffer samples = decode(decoder, demuxer, stream, buffers, clock, more);
            if (clock.isLost()) {
                decoder.reset();
                SampleClock fromTheFirst = new SampleClock(spec.window(), times, true);
                more = demuxer.rewind() && demuxer.read(packet);
                samples = decode(decoder, demuxer, stream, buffers, fromTheFirst, more);
            }
            if (samples == null) {
                throw stream.failure("there is no sound in " + spec.window());
            }
            decoders.release(decoder);
            return samples;
        } catch (Throwable failure) {
            decoder.close();
            throw failure;
        }
    }

    /// The samples of the packets from the one that is there, if there is `more`, to the end of the window; null if
    /// there are none in it, or the clock is lost.
    private @Nullable SampleBuffer decode(
            Decoder decoder, Demuxer demuxer, StreamInfo stream, Buffers buffers, SampleClock clock, boolean first) {
        SampleBuffer samples = null;
        try {
            boolean more = first;
            while (more && !isDone(clock, samples) && !isBeyond(stream, clock.times())) {
                if (packet.stream() == stream.index()) {
                    decoder.send(packet);
                    samples = receive(decoder, stream, buffers, clock, samples);
                }
                more = isDone(clock, samples) || demuxer.read(packet);
            }
            if (!isDone(clock, samples)) {
                decoder.sendEnd();
                samples = receive(decoder, stream, buffers, clock, samples);
            }
            if (samples != null) {
                converter.end(stream, samples);
            }
            return samples;
        } catch (Throwable failure) {
            if (samples != null) {
                samples.close();
            }
            throw failure;
        }
    }

    private static boolean isDone(SampleClock clock, @Nullable SampleBuffer samples) {
        return clock.isPast() || clock.isLost() || (samples != null && samples.isFull());
    }

    /// Whether decoding begins behind the stream's first packet.
    private boolean seeks(StreamInfo stream, PacketTimes times) {
        Rational start = stream.start().orElse(Rational.ZERO);
        return times == PacketTimes.EXACT
                && !spec.window().isAll()
                && spec.window().start().minus(PREROLL).compareTo(start) > 0;
    }

    private boolean seek(Demuxer demuxer, StreamInfo stream) {
        long ticks = spec.window()
                .start()
                .minus(PREROLL)
                .dividedBy(stream.timeBase())
                .floor();
        return demuxer.seekBefore(stream, ticks, packet);
    }

    private boolean isBeyond(StreamInfo stream, PacketTimes times) {
        return times != PacketTimes.MADE_UP
                && packet.stream() == stream.index()
                && spec.window().end().isPresent()
                && packet.pts() != Packet.NO_TIME
                && Rational.of(packet.pts())
                                .times(stream.timeBase())
                                .compareTo(spec.window().end().get().plus(MARGIN))
                        >= 0;
    }

    private @Nullable SampleBuffer receive(
            Decoder decoder, StreamInfo stream, Buffers buffers, SampleClock clock, @Nullable SampleBuffer samples) {
        SampleBuffer into = samples;
        try {
            while (decoder.receive(frame)) {
                if (frame.samples() > 0 && clock.trim(frame)) {
                    into = into == null ? buffers.make(frame) : into;
                    converter.add(frame, stream, into);
                }
            }
            return into;
        } catch (Throwable failure) {
            if (samples == null && into != null) {
                into.close();
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        decoders.close();
        converter.close();
        packet.close();
        frame.close();
    }
}
