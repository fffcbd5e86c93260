package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;
import org.jspecify.annotations.Nullable;

/// An `AVIOContext` whose bytes come from, or go to, Java.
///
/// FFmpeg gets the same three C functions for every context, because making such a function costs more than opening a
/// small file; the context's number tells them which one is meant. They never throw: a failure is kept for [#failure]
/// and becomes an I/O error. Used by one thread at a time.
public final class AvIo implements AutoCloseable {
    private static final int SEEK_SIZE = 0x10000;
    private static final int SEEK_FORCE = 0x20000;
    private static final long BUFFER = 8;
    private static final int BYTE_SIZE = 208;

    /// The contexts that are open, by the number that C code passes back.
    private static final Map<Long, AvIo> OPEN = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    // AVIOContext *avio_alloc_context(unsigned char *buffer, int buffer_size, int write_flag, void *opaque,
    //         int (*read_packet)(void *opaque, uint8_t *buf, int buf_size),
    //         int (*write_packet)(void *opaque, const uint8_t *buf, int buf_size),
    //         int64_t (*seek)(void *opaque, int64_t offset, int whence))
    private static final MethodHandle ALLOC = C.function(
            FfmpegLibraries.Formats.AVFORMAT,
            "avio_alloc_context",
            C.POINTER,
            C.POINTER,
            C.INT,
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.POINTER);
    // void avio_context_free(AVIOContext **s)
    private static final MethodHandle FREE_CONTEXT =
            C.procedure(FfmpegLibraries.Formats.AVFORMAT, "avio_context_free", C.POINTER);
    // void *av_malloc(size_t size)
    private static final MethodHandle MALLOC = C.function(FfmpegLibraries.AVUTIL, "av_malloc", C.POINTER, C.SIZE_T);
    // void av_free(void *ptr)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVUTIL, "av_free", C.POINTER);

    private static final MemorySegment READ = stub(
            "read",
            int.class,
            FunctionDescriptor.of(C.INT, C.POINTER, C.POINTER, C.INT),
            MemorySegment.class,
            int.class);
    private static final MemorySegment WRITE = stub(
            "write",
            int.class,
            FunctionDescriptor.of(C.INT, C.POINTER, C.POINTER, C.INT),
            MemorySegment.class,
            int.class);
    private static final MemorySegment SEEK = stub(
            "seek",
            long.class,
            FunctionDescriptor.of(C.LONG_LONG, C.POINTER, C.LONG_LONG, C.INT),
            long.class,
            int.class);

    /// Where the bytes are: a file, memory, a stream.
    public interface Bytes {
        /// Puts up to `into.byteSize()` bytes from the current position into native memory; how many, or -1 at
        /// the end.
        int read(MemorySegment into) throws Exception;

        /// Takes all of `from` at the current position.
        void write(MemorySegment from) throws Exception;

        /// Moves to `position`, counted from the first byte.
        void seek(long position) throws Exception;

        /// The current position.
        long position();

        /// How many bytes there are, -1 if unknown.
        long byteSize() throws Exception;

        /// Whether [#seek] works.
        boolean isSeekable();
    }

    private final Bytes bytes;
    private final long number;
    private final MemorySegment context;
    private @Nullable Throwable failure;
    private boolean closed;

    private AvIo(Bytes bytes, boolean writes, int bufferBytes) {
        this.bytes = bytes;
        this.number = NUMBERS.incrementAndGet();
        MemorySegment read = writes ? MemorySegment.NULL : READ;
        MemorySegment write = writes ? WRITE : MemorySegment.NULL;
        MemorySegment seek = bytes.isSeekable() ? SEEK : MemorySegment.NULL;
        MemorySegment opaque = MemorySegment.ofAddress(number);
        MemorySegment buffer = Call.allocated(Call.toPointer(MALLOC, (long) bufferBytes), "av_malloc");
        try {
            MemorySegment made =
                    (MemorySegment) ALLOC.invokeExact(buffer, bufferBytes, writes ? 1 : 0, opaque, read, write, seek);
            context = C.view(Call.allocated(made, "avio_alloc_context"), BYTE_SIZE);
        } catch (Throwable thrown) {
            throw C.thrown(thrown);
        }
        OPEN.put(number, this);
    }

    /// A context that reads from `bytes`, which stay the caller's.
    public static AvIo reading(Bytes bytes, int bufferBytes) {
        return new AvIo(bytes, false, bufferBytes);
    }

    /// A context that writes to `bytes`, which stay the caller's.
    public static AvIo writing(Bytes bytes, int bufferBytes) {
        return new AvIo(bytes, true, bufferBytes);
    }

    /// The `AVIOContext*`.
    public MemorySegment context() {
        return context;
    }

    /// What `bytes` threw first, once; then null again.
    public @Nullable Throwable failure() {
        Throwable thrown = failure;
        failure = null;
        return thrown;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            OPEN.remove(number);
            Call.run(FREE, context.get(ValueLayout.ADDRESS, BUFFER));
            try (Arena arena = Arena.ofConfined()) {
                Call.run(FREE_CONTEXT, arena.allocateFrom(ValueLayout.ADDRESS, context));
            }
        }
    }

    private int fail(Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        }
        return AvError.IO;
    }

    @SuppressWarnings("UnusedMethod") // called by C
    private static int read(MemorySegment opaque, MemorySegment buffer, int size) {
        AvIo io = OPEN.get(opaque.address());
        if (io == null) {
            return AvError.IO;
        }
        try {
            int read = io.bytes.read(C.view(buffer, size));
            return read <= 0 ? AvError.END : read;
        } catch (Throwable thrown) {
            return io.fail(thrown);
        }
    }

    @SuppressWarnings("UnusedMethod") // called by C
    private static int write(MemorySegment opaque, MemorySegment buffer, int size) {
        AvIo io = OPEN.get(opaque.address());
        if (io == null) {
            return AvError.IO;
        }
        try {
            io.bytes.write(C.view(buffer, size));
            return size;
        } catch (Throwable thrown) {
            return io.fail(thrown);
        }
    }

    @SuppressWarnings("UnusedMethod") // called by C
    private static long seek(MemorySegment opaque, long offset, int whence) {
        AvIo io = OPEN.get(opaque.address());
        if (io == null) {
            return AvError.IO;
        }
        try {
            if (whence == SEEK_SIZE) {
                return io.bytes.byteSize();
            }
            long from = switch (whence & ~SEEK_FORCE) {
                case 0 -> 0;
                case 1 -> io.bytes.position();
                default -> io.bytes.byteSize();
            };
            long target = from + offset;
            if (from < 0 || target < 0) {
                return AvError.IO;
            }
            io.bytes.seek(target);
            return target;
        } catch (Throwable thrown) {
            return io.fail(thrown);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub(String method, Class<?> result, FunctionDescriptor type, Class<?>... arguments) {
        try {
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(AvIo.class, method, MethodType.methodType(result, MemorySegment.class, arguments));
            return Linker.nativeLinker().upcallStub(target, type, Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
