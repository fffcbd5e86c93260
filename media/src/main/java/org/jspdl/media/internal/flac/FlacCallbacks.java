package org.jspdl.media.internal.flac;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// The C functions that libFLAC calls, the same for every decoder: what they are given last tells which one is meant.
///
/// None may throw, which would end the process: [FlacDecoder] keeps what went wrong.
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by C, with all that it gives
record FlacCallbacks(
        MemorySegment read,
        MemorySegment seek,
        MemorySegment tell,
        MemorySegment length,
        MemorySegment eof,
        MemorySegment write,
        MemorySegment error) {
    static final FlacCallbacks ALL = new FlacCallbacks(
            stub("read", LibFlac.READ),
            stub("seek", LibFlac.SEEK),
            stub("tell", LibFlac.TELL),
            stub("length", LibFlac.TELL),
            stub("eof", LibFlac.EOF),
            stub("write", LibFlac.WRITE),
            stub("error", LibFlac.ERROR));

    @SuppressWarnings("restricted")
    private static MemorySegment stub(String method, FunctionDescriptor type) {
        try {
            return Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup().findStatic(FlacCallbacks.class, method, type.toMethodType()),
                            type,
                            Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static int read(MemorySegment decoder, MemorySegment buffer, MemorySegment size, MemorySegment client) {
        return FlacDecoder.of(client).read(buffer, size);
    }

    private static int seek(MemorySegment decoder, long offset, MemorySegment client) {
        return FlacDecoder.of(client).seek(offset);
    }

    private static int tell(MemorySegment decoder, MemorySegment offset, MemorySegment client) {
        return FlacDecoder.of(client).tell(offset);
    }

    private static int length(MemorySegment decoder, MemorySegment length, MemorySegment client) {
        return FlacDecoder.of(client).length(length);
    }

    private static int eof(MemorySegment decoder, MemorySegment client) {
        return FlacDecoder.of(client).isAtEnd() ? 1 : 0;
    }

    private static int write(MemorySegment decoder, MemorySegment frame, MemorySegment planes, MemorySegment client) {
        return FlacDecoder.of(client).write(frame, planes);
    }

    private static void error(MemorySegment decoder, int status, MemorySegment client) {
        FlacDecoder.of(client).damaged();
    }
}
