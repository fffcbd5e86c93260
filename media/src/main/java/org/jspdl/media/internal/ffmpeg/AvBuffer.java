package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// `AVBufferRef`: memory of ours that frames and packets of FFmpeg refer to, and that is released when none does.
public final class AvBuffer {
    private static final int READ_ONLY = 1;

    // AVBufferRef *av_buffer_create(uint8_t *data, size_t size, void (*free)(void *opaque, uint8_t *data),
    //         void *opaque, int flags)
    private static final MethodHandle CREATE = C.function(
            FfmpegLibraries.AVUTIL, "av_buffer_create", C.POINTER, C.POINTER, C.SIZE_T, C.POINTER, C.POINTER, C.INT);
    // AVBufferRef *av_buffer_ref(const AVBufferRef *buf)
    private static final MethodHandle REF = C.function(FfmpegLibraries.AVUTIL, "av_buffer_ref", C.POINTER, C.POINTER);
    // void av_buffer_unref(AVBufferRef **buf)
    private static final MethodHandle UNREF = C.procedure(FfmpegLibraries.AVUTIL, "av_buffer_unref", C.POINTER);

    /// What is to be done when a buffer is released, by the number that C code passes back: there is no other way
    /// from C to an object.
    private static final Map<Long, Runnable> RELEASES = new ConcurrentHashMap<>();

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final MemorySegment STUB = stub();

    private AvBuffer() {}

    /// A reference to `memory`, which nobody may write to, to be given to [#release]. `released` is called once, on
    /// any thread, when the last reference is gone.
    public static MemorySegment of(MemorySegment memory, Runnable released) {
        long number = NUMBERS.incrementAndGet();
        RELEASES.put(number, released);
        try {
            MemorySegment buffer = (MemorySegment)
                    CREATE.invokeExact(memory, memory.byteSize(), STUB, MemorySegment.ofAddress(number), READ_ONLY);
            if (buffer.address() == 0) {
                RELEASES.remove(number);
                throw new OutOfMemoryError("av_buffer_create");
            }
            return buffer;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Another reference.
    static MemorySegment ref(MemorySegment buffer) {
        return Call.allocated(Call.toPointer(REF, buffer), "av_buffer_ref");
    }

    /// Gives up a reference.
    public static void release(MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            Call.run(UNREF, arena.allocateFrom(ValueLayout.ADDRESS, buffer));
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub() {
        FunctionDescriptor type = FunctionDescriptor.ofVoid(C.POINTER, C.POINTER);
        try {
            MethodHandle method = MethodHandles.lookup().findStatic(AvBuffer.class, "released", type.toMethodType());
            return Linker.nativeLinker().upcallStub(method, type, Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /// Called by FFmpeg. An exception would end the process.
    @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by C, with all that it gives
    private static void released(MemorySegment number, MemorySegment data) {
        try {
            Runnable release = RELEASES.remove(number.address());
            if (release != null) {
                release.run();
            }
        } catch (Throwable failure) {
            System.getLogger(AvBuffer.class.getName())
                    .log(System.Logger.Level.ERROR, "memory that FFmpeg referred to could not be released", failure);
        }
    }
}
