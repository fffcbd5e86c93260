package org.jspdl.media.audio;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.Frame;
import org.jspdl.media.internal.ffmpeg.AvCodec;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.internal.ffmpeg.convert.SwResample;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.wav.SampleLayout;
import org.jspecify.annotations.Nullable;

/// Brings decoded sound to a spec's rate, channels and elements with libswresample, straight into the output; sound
/// that has them already is copied.
///
/// One sound at a time; [#begin] starts the next. Used by one thread at a time.
final class SampleConverter implements AutoCloseable {
    private static final int MOST_PLANES = 64;
    /// AV_CHANNEL_ORDER_NATIVE.
    private static final int NATIVE_ORDER = 1;

    private final AudioSpec spec;
    private final SampleType type;
    private @Nullable Memory memory;
    private Input input = Input.NONE;
    private boolean open;

    /// What the library is called with. Not made for sound that is copied: closing it waits for every thread.
    private record Memory(Arena arena, MemorySegment slot, MemorySegment layout, MemorySegment planes) {
        static Memory create() {
            Arena arena = Arena.ofShared();
            return new Memory(
                    arena,
                    arena.allocate(8, 8),
                    arena.allocate(AvNames.CHANNEL_LAYOUT_BYTES, 8),
                    arena.allocate(8L * MOST_PLANES, 8));
        }
    }

    /// The form of the frames that come in.
    private record Input(int rate, int channels, int format, Speakers speakers) {
        static final Input NONE = new Input(0, 0, -1, new Speakers(0, 0));

        static Input of(Frame frame) {
            return new Input(frame.sampleRate(), frame.channels(), frame.formatNumber(), Speakers.of(frame));
        }

        @Override
        public String toString() {
            return rate + " Hz, " + channels + " channels, " + AvNames.sampleFormat(format);
        }
    }

    /// Which loudspeakers channels are for, as far as mixing looks at it: an `AVChannelLayout` but for its number
    /// of channels and what is the caller's.
    ///
    /// @param mask the loudspeakers of the native order; where the order is another, a list that changes is not
    ///             noticed
    private record Speakers(int order, long mask) {
        static Speakers of(Frame frame) {
            MemorySegment layout = AvFrame.channelLayout(frame.nativeFrame());
            int order = layout.get(ValueLayout.JAVA_INT, 0);
            return new Speakers(order, order == NATIVE_ORDER ? layout.get(ValueLayout.JAVA_LONG, 8) : 0);
        }
    }

    SampleConverter(AudioSpec spec) {
        this.spec = spec;
        this.type = Objects.requireNonNull(SampleType.of(spec.elements()));
    }

    /// Begins another sound.
    void begin() {
        input = Input.NONE;
        freeContext();
    }

    private Memory memory() {
        Memory made = memory == null ? Memory.create() : memory;
        memory = made;
        return made;
    }

    private void freeContext() {
        if (open) {
            SwResample.free(memory().slot);
            open = false;
        }
    }

    /// The channels that frames like this one become.
    int channels(Frame frame) {
        return spec.channels() > 0 ? spec.channels() : frame.channels();
    }

    /// How many samples `count` at the rate of `frame` become.
    long samples(Frame frame, long count) {
        return spec.sampleRateHz() == 0
                ? count
                : Math.ceilDiv(Math.multiplyExact(count, (long) spec.sampleRateHz()), Math.max(1, frame.sampleRate()));
    }

    /// Adds a frame's samples. Where the form changes on the way, what follows is converted to the spec's rate and
    /// channels too.
    ///
    /// @throws MediaException if they can't be converted, or rate or channels change and the spec has none
    void add(Frame frame, StreamInfo stream, SampleBuffer into) {
        Input now = Input.of(frame);
        if (!now.equals(input)) {
            if (!input.equals(Input.NONE)) {
                boolean settled = (spec.sampleRateHz() > 0 || now.rate == input.rate)
                        && (spec.channels() > 0 || now.channels == input.channels);
                if (!settled) {
                    throw stream.failure("the sound changes from " + input + " to " + now
                            + "; give the audio spec a sample rate and a number of channels");
                }
                end(stream, into);
                freeContext();
            }
            input = now;
            prepare(frame, stream);
        }
        if (open) {
            convert(frame.nativeFrame(), frame.samples(), stream, into);
        } else {
            int samples = into.room(frame.samples());
            for (int p = 0; p < into.planes(); p++) {
                into.copy(frame.soundPlane(p), 0, samples, p);
            }
            into.advance(samples);
        }
    }

    private void prepare(Frame frame, StreamInfo stream) {
        int rate = spec.sampleRateHz() > 0 ? spec.sampleRateHz() : frame.sampleRate();
        int channels = channels(frame);
        int format = type.format(spec.layout());
        if (channels > MOST_PLANES) {
            throw stream.failure(channels + " channels are more than " + MOST_PLANES);
        }
        boolean sameForm = format == frame.formatNumber()
                || (channels == 1 && type.format(SampleLayout.PLANAR) == frame.formatNumber())
                || (channels == 1 && type.format(SampleLayout.INTERLEAVED) == frame.formatNumber());
        if (rate == frame.sampleRate() && channels == frame.channels() && sameForm) {
            return;
        }
        MemorySegment slot = memory().slot;
        MemorySegment layout = memory().layout;
        MemorySegment from = AvFrame.channelLayout(frame.nativeFrame());
        if (channels == frame.channels()) {
            layout.copyFrom(from);
        } else {
            AvNames.defaultChannelLayout(layout, channels);
        }
        slot.set(ValueLayout.JAVA_LONG, 0, 0);
        int status = SwResample.open(slot, layout, format, rate, from, frame.formatNumber(), frame.sampleRate());
        if (status < 0) {
            SwResample.free(slot);
            throw stream.failure("can't be converted from " + input + " to " + rate + " Hz, " + channels + " channels, "
                    + spec.elements() + ": " + AvCodec.errorText(status));
        }
        open = true;
    }

    private void convert(MemorySegment frame, int samples, StreamInfo stream, SampleBuffer into) {
        MemorySegment context = memory().slot.get(ValueLayout.ADDRESS, 0);
        MemorySegment planes = memory().planes;
        MemorySegment data = frame.address() == 0 ? frame : AvFrame.extendedData(frame);
        int room = into.room(SwResample.outSamples(context, samples));
        for (int p = 0; p < into.planes(); p++) {
            planes.set(ValueLayout.JAVA_LONG, 8L * p, into.address(p));
        }
        int written = SwResample.convert(context, planes, room, data, samples);
        if (written < 0) {
            throw stream.failure("can't be converted: " + AvCodec.errorText(written));
        }
        into.advance(written);
    }

    /// Adds the samples that resampling held back.
    void end(StreamInfo stream, SampleBuffer into) {
        if (open && !into.isFull()) {
            convert(MemorySegment.NULL, 0, stream, into);
        }
    }

    @Override
    public void close() {
        freeContext();
        Memory made = memory;
        if (made != null) {
            memory = null;
            made.arena.close();
        }
    }
}
