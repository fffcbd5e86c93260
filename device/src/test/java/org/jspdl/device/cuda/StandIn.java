package org.jspdl.device.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.jspdl.testing.Programs;
import org.jspdl.testing.Requires;

/// The driver's stand-in (`src/test/c/cuda_standin.c`), compiled by the machine's C compiler once for a test run.
@SuppressWarnings("restricted")
public final class StandIn {
    private final SymbolLookup library;

    private StandIn(SymbolLookup library) {
        this.library = library;
    }

    /// The library's file; skips the test where there is no compiler.
    public static Path file() {
        Requires.program("cc");
        return Compiled.FILE;
    }

    /// The stand-in, with its log empty and nothing failing.
    static StandIn fresh() {
        StandIn standIn = new StandIn(SymbolLookup.libraryLookup(file(), Arena.global()));
        standIn.call("standin_reset", FunctionDescriptor.ofVoid());
        return standIn;
    }

    /// Compiled when it is first needed.
    private static final class Compiled {
        static final Path FILE = compile();
    }

    private static Path compile() {
        try {
            Path source = Path.of("src/test/c/cuda_standin.c");
            // Other processes may be testing, too.
            Path file = Files.createTempFile("libcuda_standin", ".so");
            file.toFile().deleteOnExit();
            Programs.run("cc -shared -fPIC -O1 -Wall -Werror -o " + file + " " + source);
            return file;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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
