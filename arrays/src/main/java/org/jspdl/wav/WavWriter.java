package org.jspdl.wav;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspdl.archive.internal.LittleEndian;
import org.jspdl.array.ArrayView;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.SegmentBuffers;

/// Writes samples to a WAV file, block by block; RF64 if they grow beyond 4 GiB.
///
/// The file is complete when the writer is closed; until then its sizes say so ("up to the end"). Used by one thread at
/// a time.
public final class WavWriter implements AutoCloseable {
    private static final long LARGEST_RIFF = 0xFFFF_FFFFL - 1;
    private static final int FORMAT_BYTES = 16;
    private static final int EXTENSIBLE_BYTES = 40;
    /// Room for the sizes of RF64, filled with nothing until they are needed.
    private static final int SIZES_BYTES = 28;
    private static final int BLOCK = 1 << 14;

    private final FileChannel channel;
    private final WavFormat format;
    private final long largest;
    private long dataBytes;
    private boolean closed;

    private WavWriter(FileChannel channel, WavFormat format, long largest) throws IOException {
        this.channel = channel;
        this.format = format;
        this.largest = largest;
        SegmentBuffers.write(channel, header(-1));
    }

    /// Begins a file at `path`, replacing what is there.
    public static WavWriter create(Path path, WavFormat format) throws IOException {
        return create(path, format, LARGEST_RIFF);
    }

    /// The same, with RF64 from a smaller size on.
    static WavWriter create(Path path, WavFormat format, long largestRiff) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            return new WavWriter(channel, format, largestRiff);
        } catch (IOException failure) {
            channel.close();
            throw failure;
        }
    }

    /// Appends samples, `[frames, channels]` or, for one channel, `[frames]`.
    ///
    /// Of the format's own element type; for 24 bits `INT32`, whose upper three bytes are written.
    ///
    /// @throws IllegalArgumentException if type or shape do not fit
    public void write(ArrayView samples) throws IOException {
        boolean fits = samples.type() == format.elementType()
                && samples.isPlain()
                && (samples.shape().rank() == 2
                        ? samples.shape().extent(1) == format.channels()
                        : samples.shape().rank() == 1 && format.channels() == 1);
        if (!fits) {
            throw new IllegalArgumentException("samples must be " + format.elementType() + " [frames, "
                    + format.channels() + "], row-major in the machine's byte order, but are " + samples);
        }
        if (format.isElement() && (ByteOrder.nativeOrder() == LITTLE_ENDIAN || format.sampleBytes() == 1)) {
            SegmentBuffers.write(channel, samples.segment());
            dataBytes += samples.byteSize();
            return;
        }
        long count = samples.shape().elements();
        MemorySegment block = MemorySegment.ofArray(new byte[BLOCK * format.sampleBytes()]);
        for (long done = 0; done < count; done += BLOCK) {
            long n = Math.min(BLOCK, count - done);
            for (long i = 0; i < n; i++) {
                put(samples, done + i, block, i * format.sampleBytes());
            }
            SegmentBuffers.write(channel, block.asSlice(0, n * format.sampleBytes()));
            dataBytes += n * format.sampleBytes();
        }
    }

    private void put(ArrayView samples, long index, MemorySegment block, long at) {
        switch (format.sampleBytes()) {
            case 2 -> LittleEndian.put16(block, at, samples.segment().get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index));
            case 3 -> {
                int sample = samples.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index) >> 8;
                LittleEndian.put16(block, at, sample);
                block.set(ValueLayout.JAVA_BYTE, at + 2, (byte) (sample >> 16));
            }
            case 4 -> LittleEndian.put32(block, at, samples.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index));
            default -> LittleEndian.put64(block, at, samples.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index));
        }
    }

    /// The bytes before the samples, once those take `bytes`; -1 while that is open.
    private MemorySegment header(long bytes) {
        boolean extensible =
                format.channels() > 2 || format.channelMask() != 0 || format.bits() != 8 * format.sampleBytes();
        int formatBytes = extensible ? EXTENSIBLE_BYTES : FORMAT_BYTES;
        int total = 12 + 8 + SIZES_BYTES + 8 + formatBytes + 8;
        long riff = bytes < 0 ? -1 : total - 8 + bytes + (bytes & 1);
        boolean wide = riff > largest;
        MemorySegment header = MemorySegment.ofArray(new byte[total]);
        LittleEndian.put32(header, 0, LittleEndian.tag(wide ? "RF64" : "RIFF"));
        LittleEndian.put32(header, 4, wide ? -1 : (int) riff);
        LittleEndian.put32(header, 8, LittleEndian.tag("WAVE"));
        LittleEndian.put32(header, 12, LittleEndian.tag(wide ? "ds64" : "JUNK"));
        LittleEndian.put32(header, 16, SIZES_BYTES);
        if (wide) {
            LittleEndian.put64(header, 20, riff);
            LittleEndian.put64(header, 28, bytes);
            LittleEndian.put64(header, 36, bytes / format.frameBytes());
        }
        long at = 20 + SIZES_BYTES;
        LittleEndian.put32(header, at, LittleEndian.tag("fmt "));
        LittleEndian.put32(header, at + 4, formatBytes);
        int encoding = format.encoding() == WavFormat.Encoding.INTEGER ? 1 : 3;
        LittleEndian.put16(header, at + 8, extensible ? 0xFFFE : encoding);
        LittleEndian.put16(header, at + 10, format.channels());
        LittleEndian.put32(header, at + 12, format.sampleRateHz());
        LittleEndian.put32(header, at + 16, format.sampleRateHz() * format.frameBytes());
        LittleEndian.put16(header, at + 20, format.frameBytes());
        LittleEndian.put16(header, at + 22, extensible ? 8 * format.sampleBytes() : format.bits());
        if (extensible) {
            LittleEndian.put16(header, at + 24, 22);
            LittleEndian.put16(header, at + 26, format.bits());
            LittleEndian.put32(header, at + 28, format.channelMask());
            LittleEndian.put16(header, at + 32, encoding);
            LittleEndian.put64(header, at + 34, WavParser.GUID_MIDDLE);
            LittleEndian.put64(header, at + 40, WavParser.GUID_END);
        }
        LittleEndian.put32(header, total - 8, LittleEndian.tag("data"));
        LittleEndian.put32(header, total - 4, bytes < 0 || wide ? -1 : (int) bytes);
        return header;
    }

    /// Writes the sizes and closes the file; closing again is harmless.
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (channel) {
            if ((dataBytes & 1) == 1) {
                SegmentBuffers.write(channel, MemorySegment.ofArray(new byte[1]));
            }
            channel.position(0);
            SegmentBuffers.write(channel, header(dataBytes));
        }
    }

    /// Writes one array of samples to `path`, whose format follows from its element type: `UINT8`, `INT16`,
    /// `INT32`, `FLOAT32` or `FLOAT64`, `[frames, channels]` or `[frames]`.
    public static void write(Path path, ArrayView samples, int sampleRateHz) throws IOException {
        int channels =
                samples.shape().rank() == 2 ? Math.toIntExact(samples.shape().extent(1)) : 1;
        try (WavWriter writer = create(path, formatOf(samples.type(), channels, sampleRateHz))) {
            writer.write(samples);
        }
    }

    private static WavFormat formatOf(ElementType type, int channels, int sampleRateHz) {
        return switch (type) {
            case UINT8, INT16, INT32 -> WavFormat.integer(8 * type.byteSize(), channels, sampleRateHz);
            case FLOAT32, FLOAT64 -> WavFormat.floating(8 * type.byteSize(), channels, sampleRateHz);
            default -> throw new IllegalArgumentException("WAV has no samples of " + type);
        };
    }
}
