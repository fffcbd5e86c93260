package org.jspdl.media.internal.flac;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.files.MappedInput;
import org.jspdl.media.internal.natives.C;
import org.jspecify.annotations.Nullable;

/// Decodes FLAC files in memory with libFLAC. Used by one thread at a time; its owner closes it.
///
/// The library is given a file only after its header was read here, and of what it returns only frames that fit the
/// header are taken.
public final class FlacDecoder implements AutoCloseable {
    private static final int MOST_CHANNELS = 8;
    private static final int GO_ON = 0;
    private static final int END = 1;
    private static final int ABORT_READ = 2;
    private static final int ABORT_WRITE = 1;
    private static final int FAILED = 1;

    // FLAC__FrameHeader, which a FLAC__Frame begins with
    private static final long BLOCK_SAMPLES = 0;
    private static final long RATE = 4;
    private static final long CHANNELS = 8;
    private static final long BITS = 16;

    /// The decoders that exist, by the number that C code passes back.
    private static final Map<Long, FlacDecoder> ALL = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final LibFlac library;
    private final MemorySegment decoder;
    private final long number = NUMBERS.incrementAndGet();
    private final int[][] block = new int[MOST_CHANNELS][0];
    private MemorySegment file = MemorySegment.NULL;
    private FlacHeader header = new FlacHeader(1, 1, 16, 0, 0);
    private @Nullable Sink sink;
    private long position;
    private boolean damaged;
    private boolean stopped;
    private boolean goesOn;
    private boolean toTheEnd;
    private @Nullable Throwable failure;
    private boolean closed;

    /// Takes samples.
    @FunctionalInterface
    public interface Sink {
        /// Takes the first `count` integers of each channel, which are valid during the call only; whether more
        /// is wanted.
        boolean take(int[][] channels, int count);
    }

    private FlacDecoder(LibFlac library, MemorySegment decoder) {
        this.library = library;
        this.decoder = decoder;
        ALL.put(number, this);
    }

    /// Whether the machine has libFLAC.
    public static boolean isAvailable() {
        return LibFlac.INSTANCE != null;
    }

    /// A decoder.
    ///
    /// @throws IllegalStateException if there is no libFLAC
    public static FlacDecoder create() {
        LibFlac library = LibFlac.INSTANCE;
        if (library == null) {
            throw new IllegalStateException("libFLAC is not installed");
        }
        MemorySegment decoder = library.make();
        if (decoder.address() == 0) {
            throw new OutOfMemoryError("libFLAC has no memory for a decoder");
        }
        return new FlacDecoder(library, decoder);
    }

    static FlacDecoder of(MemorySegment client) {
        return Objects.requireNonNull(ALL.get(client.address()));
    }

    /// Gives the samples of a file from number `from` on to `into` until it wants no more; false if the file is
    /// damaged before that, so that some or all are missing. What `into` throws is thrown here.
    ///
    /// @param last whether the file should end where `into` wants no more; false is returned if another frame
    ///             follows, as in files that were put together from several
    public boolean decode(MemorySegment flac, FlacHeader itsHeader, long from, boolean last, Sink into) {
        file = flac;
        header = itsHeader;
        sink = into;
        position = 0;
        damaged = false;
        stopped = false;
        goesOn = false;
        toTheEnd = last;
        failure = null;
        for (int c = 0; c < header.channels(); c++) {
            block[c] = block[c].length < header.blockSamples() ? new int[header.blockSamples()] : block[c];
        }
        try {
            boolean done = library.init(decoder, FlacCallbacks.ALL, number) == 0
                    && (from == 0 || library.seek(decoder, from))
                    && ((stopped && !toTheEnd) || library.process(decoder));
            if (failure != null) {
                throw C.thrown(failure);
            }
            return stopped ? !goesOn : done && !damaged;
        } finally {
            library.finish(decoder);
            file = MemorySegment.NULL;
            sink = null;
        }
    }

    int read(MemorySegment buffer, MemorySegment size) {
        try {
            MemorySegment count = C.view(size, Long.BYTES);
            long bytes = Math.min(count.get(ValueLayout.JAVA_LONG, 0), file.byteSize() - position);
            count.set(ValueLayout.JAVA_LONG, 0, bytes);
            if (bytes <= 0) {
                return END;
            }
            MappedInput.copy(file.asSlice(position, bytes), C.view(buffer, bytes));
            position += bytes;
            return GO_ON;
        } catch (Throwable thrown) {
            failure = thrown;
            return ABORT_READ;
        }
    }

    int seek(long offset) {
        if (offset < 0 || offset > file.byteSize()) {
            return FAILED;
        }
        position = offset;
        return GO_ON;
    }

    int tell(MemorySegment offset) {
        C.view(offset, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, position);
        return GO_ON;
    }

    int length(MemorySegment length) {
        C.view(length, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, file.byteSize());
        return GO_ON;
    }

    boolean isAtEnd() {
        return position >= file.byteSize();
    }

    /// What follows the last frame may be anything, such as tags.
    void damaged() {
        damaged |= !stopped;
    }

    int write(MemorySegment frame, MemorySegment planes) {
        try {
            if (stopped) {
                goesOn = true;
                return ABORT_WRITE;
            }
            MemorySegment its = C.view(frame, BITS + Integer.BYTES);
            int count = its.get(ValueLayout.JAVA_INT, BLOCK_SAMPLES);
            int channels = header.channels();
            if (its.get(ValueLayout.JAVA_INT, RATE) != header.sampleRateHz()
                    || its.get(ValueLayout.JAVA_INT, CHANNELS) != channels
                    || its.get(ValueLayout.JAVA_INT, BITS) != header.bits()
                    || count < 0
                    || count > header.blockSamples()) {
                damaged = true;
            }
            if (damaged) {
                return ABORT_WRITE;
            }
            MemorySegment pointers = C.view(planes, channels * ValueLayout.ADDRESS.byteSize());
            for (int c = 0; c < channels; c++) {
                MemorySegment plane = C.view(pointers.getAtIndex(ValueLayout.ADDRESS, c), (long) count * Integer.BYTES);
                MemorySegment.copy(plane, ValueLayout.JAVA_INT, 0, block[c], 0, count);
            }
            stopped = !Objects.requireNonNull(sink).take(block, count);
            return stopped && !toTheEnd ? ABORT_WRITE : GO_ON;
        } catch (Throwable thrown) {
            failure = thrown;
            return ABORT_WRITE;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ALL.remove(number);
            library.delete(decoder);
        }
    }
}
