package org.jspdl.media.audio;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspdl.input.MediaException;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.jspdl.wav.Wav;
import org.jspecify.annotations.Nullable;

/// Memory for samples that grows as they come, or a row of a batch that does not.
///
/// Channels of the planar layout lie `capacity` samples apart until [#finish] moves them together.
final class SampleBuffer implements AutoCloseable {
    private final AudioSpec spec;
    private final SampleType type;
    private final Function<String, MediaException> refusal;
    private final int channels;
    private final @Nullable LongFunction<Lease> leases;
    private @Nullable Lease lease;
    private MemorySegment memory;
    private long capacity;
    private long count;

    /// Memory from `leases` for `expected` samples at first; `refusal` makes the exception for more than the limit.
    SampleBuffer(
            AudioSpec spec,
            Function<String, MediaException> refusal,
            int channels,
            long expected,
            LongFunction<Lease> leases) {
        this.spec = spec;
        this.type = Objects.requireNonNull(SampleType.of(spec.elements()));
        this.refusal = refusal;
        this.channels = channels;
        this.leases = leases;
        this.capacity = spec.samples() > 0 ? spec.samples() : Math.max(1, expected);
        Lease first = lease(capacity);
        this.lease = first;
        this.memory = first.segment();
    }

    /// The memory of a row for exactly the spec's number of samples.
    SampleBuffer(AudioSpec spec, Function<String, MediaException> refusal, int channels, MemorySegment row) {
        this.spec = spec;
        this.type = Objects.requireNonNull(SampleType.of(spec.elements()));
        this.refusal = refusal;
        this.channels = channels;
        this.leases = null;
        this.capacity = spec.samples();
        this.memory = row;
    }

    private Lease lease(long samples) {
        long bytes = Math.multiplyExact(samples, (long) channels * type.byteSize());
        if (bytes > spec.decoding().limits().maxBytes()) {
            throw refusal.apply("sound of more than " + spec.decoding().limits().maxBytes()
                    + " bytes, the limit; take a window, or stream it");
        }
        return Objects.requireNonNull(leases).apply(bytes);
    }

    /// How many samples of each channel there are.
    long count() {
        return count;
    }

    /// Whether no more samples are wanted.
    boolean isFull() {
        return spec.samples() > 0 && count == spec.samples();
    }

    /// Makes room for `more` samples, as far as they are wanted; how many may be written now.
    int room(int more) {
        return (int) room((long) more);
    }

    private long room(long more) {
        if (spec.samples() > 0) {
            return Math.min(more, spec.samples() - count);
        }
        if (count + more > capacity) {
            grow(Math.max(count + more, capacity + capacity / 8));
        }
        return more;
    }

    private void grow(long samples) {
        Lease larger = lease(samples);
        int planes = planes();
        long sampleBytes = sampleBytes();
        for (int p = 0; p < planes; p++) {
            MemorySegment.copy(
                    memory,
                    p * capacity * sampleBytes,
                    larger.segment(),
                    p * samples * sampleBytes,
                    count * sampleBytes);
        }
        close();
        lease = larger;
        memory = larger.segment();
        capacity = samples;
    }

    int planes() {
        return spec.layout() == SampleLayout.PLANAR ? channels : 1;
    }

    private long sampleBytes() {
        return spec.layout() == SampleLayout.PLANAR ? type.byteSize() : (long) type.byteSize() * channels;
    }

    /// Where the next samples of plane `plane` go.
    long address(int plane) {
        return memory.address() + (plane * capacity + count) * sampleBytes();
    }

    /// Copies `samples` samples of a plane that need no conversion, from sample `from` on.
    void copy(MemorySegment plane, int from, int samples, int to) {
        MemorySegment.copy(
                plane, from * sampleBytes(), memory, (to * capacity + count) * sampleBytes(), samples * sampleBytes());
    }

    /// Copies floats to a plane, behind the samples that are counted already.
    void put(float[] values, int count, int to) {
        long at = (to * capacity + this.count) * sampleBytes();
        MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_FLOAT_UNALIGNED, at, count);
    }

    /// Converts a whole recording into the memory; there is room for it.
    void put(Wav recording) {
        long frames = room(recording.frames());
        recording.slice(0, frames).toFloat(memory.asSlice(count * sampleBytes()), spec.layout(), capacity);
        advance(frames);
    }

    /// Counts samples that were written to all planes.
    void advance(long samples) {
        count += samples;
    }

    /// Fills what is missing with silence.
    void pad() {
        for (int p = 0; p < planes(); p++) {
            memory.asSlice((p * capacity + count) * sampleBytes(), (capacity - count) * sampleBytes())
                    .fill(type.silence());
        }
    }

    /// The samples as a tensor, which the caller owns.
    Tensor finish() {
        if (spec.samples() > 0) {
            pad();
            count = spec.samples();
        } else if (count < capacity) {
            for (int p = 1; p < planes(); p++) {
                MemorySegment.copy(
                        memory, p * capacity * sampleBytes(), memory, p * count * sampleBytes(), count * sampleBytes());
            }
        }
        Lease finished = Objects.requireNonNull(lease);
        lease = null;
        return Tensor.over(spec.elements(), spec.shape(count, channels), finished);
    }

    @Override
    public void close() {
        Lease held = lease;
        if (held != null) {
            lease = null;
            held.close();
        }
    }
}
