package org.jspdl.media.audio;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.media.internal.isolation.Filled;
import org.jspdl.media.internal.isolation.MediaCall;
import org.jspdl.media.internal.isolation.SpecMessage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;

/// How a helper is asked for a sound: the spec, and whether it is to fill a row of fixed size.
abstract class AudioCall<T> implements MediaCall<T> {
    private final AudioSpec spec;
    private final Requests requests;
    private final boolean isRow;

    private AudioCall(AudioSpec spec, Requests requests, boolean isRow) {
        this.spec = spec;
        this.requests = requests;
        this.isRow = isRow;
    }

    /// The requests of a decoder, which are the same for all sounds. Not to be changed.
    record Requests(byte[] sound, byte[] row) {
        static Requests of(AudioSpec spec) {
            return new Requests(AudioCall.request(spec, false), AudioCall.request(spec, true));
        }
    }

    /// A sound as a tensor from `pool`, which is the caller's.
    static AudioCall<Tensor> tensor(AudioSpec spec, Requests requests, BufferPool pool) {
        return new AudioCall<>(spec, requests, false) {
            @Override
            public Tensor take(List<Filled> tensors, DataInputStream last) throws IOException {
                return only(tensors).tensor(pool);
            }
        };
    }

    /// A sound in `row`, and how many samples of each channel it has.
    static AudioCall<Long> row(AudioSpec spec, Requests requests, MemorySegment row) {
        return new AudioCall<>(spec, requests, true) {
            @Override
            public Long take(List<Filled> tensors, DataInputStream last) throws IOException {
                long samples = last.readLong();
                if (samples < 0 || samples > spec.samples()) {
                    throw new IOException(samples + " samples in a row of " + spec.samples());
                }
                row.copyFrom(only(tensors).elements());
                return samples;
            }
        };
    }

    private static Filled only(List<Filled> tensors) throws IOException {
        if (tensors.size() != 1) {
            throw new IOException(tensors.size() + " tensors for one sound");
        }
        return tensors.getFirst();
    }

    @Override
    public byte[] request() {
        return isRow ? requests.row : requests.sound;
    }

    private static byte[] request(AudioSpec spec, boolean isRow) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(isRow);
            write(spec, out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    @Override
    public boolean allows(ElementType type, Shape shape, int earlier) {
        if (earlier > 0 || type != spec.elements() || shape.rank() != 2) {
            return false;
        }
        boolean planar = spec.layout() == SampleLayout.PLANAR;
        long channels = shape.extent(planar ? 0 : 1);
        long samples = shape.extent(planar ? 1 : 0);
        return channels >= 1
                && samples >= 0
                && (spec.channels() == 0 || spec.channels() == channels)
                && (spec.samples() == 0 || spec.samples() == samples)
                && (isRow
                        || Tensor.byteSize(type, shape)
                                <= spec.decoding().limits().maxBytes());
    }

    @Override
    public byte[] answer(DataInputStream question) throws IOException {
        throw new IOException("nothing is to be asked about a sound");
    }

    private static void write(AudioSpec spec, DataOutputStream out) throws IOException {
        out.writeInt(spec.sampleRateHz());
        out.writeInt(spec.channels());
        SpecMessage.write(spec.elements().name(), out);
        SpecMessage.write(spec.layout().name(), out);
        SpecMessage.write(spec.window(), out);
        out.writeLong(spec.samples());
        SpecMessage.write(spec.decoding(), out);
    }

    /// Reads a spec in the helper.
    static AudioSpec spec(DataInputStream in) throws IOException {
        int rate = in.readInt();
        int channels = in.readInt();
        AudioSpec spec = AudioSpec.original()
                .elements(ElementType.valueOf(SpecMessage.text(in)))
                .layout(SampleLayout.valueOf(SpecMessage.text(in)))
                .window(SpecMessage.window(in));
        long samples = in.readLong();
        spec = spec.decoding(SpecMessage.decoding(in));
        spec = rate > 0 ? spec.sampleRateHz(rate) : spec;
        spec = channels > 0 ? spec.channels(channels) : spec;
        return samples > 0 ? spec.samples(samples) : spec;
    }
}
