package org.jspdl.device.internal.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The driver's stand-in (`src/test/c/cuda_standin.c`), compiled by the machine's C compiler once for a test run.
@SuppressWarnings("restricted")
public final class StandIn {
    private static final Path FILE = compile();

    private final SymbolLookup library;

    private StandIn(SymbolLookup library) {
        this.library = library;
    }

    /// The library's file; skips the test where there is no compiler.
    public static Path file() {
        assumeTrue(Files.isRegularFile(FILE), "no C compiler (cc): the bindings to CUDA were not tested");
        return FILE;
    }

    /// The stand-in, with its log empty and nothing failing.
    static StandIn fresh() {
        StandIn standIn = new StandIn(SymbolLookup.libraryLookup(file(), Arena.global()));
        standIn.call("standin_reset", FunctionDescriptor.ofVoid());
        return standIn;
    }

    private static Path compile() {
        try {
            Path source = Path.of("src/test/c/cuda_standin.c");
            Path file = Path.of("target/standin/libcuda_standin.so").toAbsolutePath();
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            Process compiler = new ProcessBuilder(
                            "cc",
                            "-shared",
                            "-fPIC",
                            "-O1",
                            "-Wall",
                            "-Werror",
                            "-o",
                            file.toString(),
                            source.toString())
                    .inheritIO()
                    .start();
            if (compiler.waitFor() != 0) {
                throw new IllegalStateException("cc could not compile " + source);
            }
            return file;
        } catch (IOException noCompiler) {
            return Path.of("no-compiler");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while compiling", stop);
        }
    }

    /// Lets the next call of `function` return `code`.
    void fail(String function, int code) {
        try (Arena arena = Arena.ofConfined()) {
            call(
                    "standin_fail",
                    FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    arena.allocateFrom(function),
                    code);
        }
    }

    /// Lets the next `queries` of events answer that they are not reached.
    void notReady(int queries) {
        call("standin_not_ready", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT), queries);
    }

    /// The calls so far, but for those that ask; each with its arguments.
    List<String> log() {
        MemorySegment text = (MemorySegment) call("standin_log", FunctionDescriptor.of(ValueLayout.ADDRESS));
        try (Stream<String> lines =
                text.reinterpret(Long.MAX_VALUE).getString(0).lines()) {
            return lines.filter(line -> !line.startsWith("cuPointerGet") && !line.startsWith("cuDeviceGet"))
                    .toList();
        }
    }

    /// Pieces of device memory that are allocated.
    long allocations() {
        return (long) call("standin_allocations", FunctionDescriptor.of(ValueLayout.JAVA_LONG));
    }

    /// Contexts that were pushed and not popped.
    int contexts() {
        return (int) call("standin_contexts", FunctionDescriptor.of(ValueLayout.JAVA_INT));
    }

    private Object call(String name, FunctionDescriptor descriptor, Object... arguments) {
        try {
            return Linker.nativeLinker()
                    .downcallHandle(library.find(name).orElseThrow(), descriptor)
                    .invokeWithArguments(arguments);
        } catch (Throwable failure) {
            throw new IllegalStateException(name, failure);
        }
    }
}
