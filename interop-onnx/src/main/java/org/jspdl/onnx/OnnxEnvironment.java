package org.jspdl.onnx;

import ai.onnxruntime.OrtEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// ONNX Runtime's environment, of which a process has one.
///
/// When it is made, ONNX Runtime matches the command line of the process against a regular expression by recursion, and
/// uses some 300 bytes of the thread's stack for each character. A Java thread has 1 MiB, so a class path of some 5,000
/// characters ends the process with a segmentation fault, without a message (version 1.29.0). So whoever may be first
/// to use ONNX Runtime asks here.
public final class OnnxEnvironment {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final long LEAST_STACK = 16L << 20;
    /// Reserved, not used, until a frame is there; three times what was seen.
    private static final long STACK_FOR_CHARACTER = 1024;

    private OnnxEnvironment() {}

    /// The environment, made by the first call on a thread whose stack has room for this process's command line.
    /// Any thread may call it, any number of times.
    ///
    /// @throws LinkageError if the library is missing, or can't be loaded
    public static OrtEnvironment get() {
        return Made.ENVIRONMENT;
    }

    private static final class Made {
        static final OrtEnvironment ENVIRONMENT = make();
    }

    private static OrtEnvironment make() {
        FutureTask<OrtEnvironment> made = new FutureTask<>(() -> {
            OrtEnvironment environment = OrtEnvironment.getEnvironment();
            UnpackedLibraries.deleteAtEnd();
            return environment;
        });
        Thread thread = new Thread(null, made, "jspdl-onnx-environment", stack());
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return made.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw new OnnxException("ONNX Runtime cannot be started", failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long stack() {
        try {
            // The size of files in /proc is 0.
            return LEAST_STACK + STACK_FOR_CHARACTER * Files.readAllBytes(COMMAND_LINE).length;
        } catch (IOException elsewhere) {
            return LEAST_STACK; // such as macOS
        }
    }
}
