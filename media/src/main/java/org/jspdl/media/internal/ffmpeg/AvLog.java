package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;
import org.jspecify.annotations.Nullable;

/// FFmpeg's log: silent unless somebody listens, because a callback is called for every message there is.
///
/// Static because the log is the process's.
public final class AvLog {
    /// AV_LOG_ERROR: something failed.
    public static final int ERROR = 16;

    private static final int LINE_BYTES = 1024;

    // void av_log_set_callback(void (*callback)(void*, int, const char*, va_list))
    private static final MethodHandle SET_CALLBACK =
            C.procedure(FfmpegLibraries.AVUTIL, "av_log_set_callback", C.POINTER);
    // int av_log_format_line2(void *ptr, int level, const char *fmt, va_list vl, char *line, int line_size,
    //         int *print_prefix); a va_list is passed by its address on the systems that we support
    private static final MethodHandle FORMAT = C.function(
            FfmpegLibraries.AVUTIL,
            "av_log_format_line2",
            C.INT,
            C.POINTER,
            C.INT,
            C.POINTER,
            C.POINTER,
            C.POINTER,
            C.INT,
            C.POINTER);
    private static final MemorySegment DEFAULT =
            FfmpegLibraries.AVUTIL.find("av_log_default_callback").orElse(MemorySegment.NULL);
    private static final MemorySegment CALLBACK = stub();

    private static volatile @Nullable BiConsumer<Integer, String> listener;
    private static volatile @Nullable Capture capture;

    /// The errors of one thread while it does one thing.
    private record Capture(Thread thread, StringBuilder text) {}

    private AvLog() {}

    /// Gives every message and its level to `newListener`, on whatever thread it happens; null for silence.
    public static synchronized void listen(@Nullable BiConsumer<Integer, String> newListener) {
        listener = newListener;
        install();
    }

    private static void install() {
        Call.run(SET_CALLBACK, listener == null && capture == null ? DEFAULT : CALLBACK);
    }

    /// Does something that FFmpeg explains only in its log; the status, with the errors of this thread in
    /// `explanation`.
    public static synchronized int explained(IntSupplier work, StringBuilder explanation) {
        capture = new Capture(Thread.currentThread(), explanation);
        install();
        try {
            return work.getAsInt();
        } finally {
            capture = null;
            install();
        }
    }

    @SuppressWarnings("UnusedMethod") // called by C
    private static void message(MemorySegment context, int level, MemorySegment format, MemorySegment arguments) {
        try {
            BiConsumer<Integer, String> current = listener;
            Capture capturing = capture;
            boolean captured = capturing != null && level <= ERROR && capturing.thread == Thread.currentThread();
            if (current == null && !captured) {
                return;
            }
            String text = text(context, level, format, arguments);
            if (current != null) {
                current.accept(level, text);
            }
            if (captured && capturing != null) {
                capturing.text.append(capturing.text.isEmpty() ? "" : "; ").append(text);
            }
        } catch (Throwable ignored) {
            // No exception may leave a function that C calls, and a log has nobody to tell.
            return;
        }
    }

    private static String text(MemorySegment context, int level, MemorySegment format, MemorySegment arguments)
            throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment line = arena.allocate(LINE_BYTES);
            MemorySegment prefix = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
            int ignored = (int) FORMAT.invokeExact(context, level, format, arguments, line, LINE_BYTES, prefix);
            return line.getString(0).strip();
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub() {
        try {
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(
                            AvLog.class,
                            "message",
                            MethodType.methodType(
                                    void.class,
                                    MemorySegment.class,
                                    int.class,
                                    MemorySegment.class,
                                    MemorySegment.class));
            return Linker.nativeLinker()
                    .upcallStub(
                            target, FunctionDescriptor.ofVoid(C.POINTER, C.INT, C.POINTER, C.POINTER), Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
