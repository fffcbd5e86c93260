package org.jspdl.device.dlpack;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// The program that [NumpyTest] starts: Python inside a JVM, exchanging tensors both ways.
@SuppressWarnings("restricted")
final class NumpyExchange {
    private static final int NOW_AND_GLOBAL = 0x102;
    private static final String PRELUDE = """
            import ctypes, numpy, sys, weakref
            api = ctypes.pythonapi
            api.PyCapsule_New.restype = ctypes.py_object
            api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            api.PyCapsule_GetPointer.restype = ctypes.c_void_p
            api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
            api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
            used = b'used_dltensor'
            class FromJava:
                def __init__(self, pointer): self.pointer = pointer
                def __dlpack__(self, **ignored): return api.PyCapsule_New(self.pointer, b'dltensor', None)
                def __dlpack_device__(self): return (1, 0)
            def say(*words):
                print(*words)
                sys.stdout.flush()
            """;

    private final SymbolLookup python;

    private NumpyExchange(Path library) throws Throwable {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            // NumPy's own libraries look for Python's functions among the global ones
            MemorySegment opened = (MemorySegment) linker.downcallHandle(
                            linker.defaultLookup().find("dlopen").orElseThrow(),
                            FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT))
                    .invokeExact(arena.allocateFrom(library.toString()), NOW_AND_GLOBAL);
            if (opened.address() == 0) {
                throw new IllegalStateException("cannot load " + library);
            }
        }
        python = SymbolLookup.libraryLookup(library, Arena.global());
        linker.downcallHandle(python.find("Py_InitializeEx").orElseThrow(), FunctionDescriptor.ofVoid(JAVA_INT))
                .invokeExact(0);
    }

    private void run(String code) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) Linker.nativeLinker()
                    .downcallHandle(
                            python.find("PyRun_SimpleString").orElseThrow(), FunctionDescriptor.of(JAVA_INT, ADDRESS))
                    .invokeExact(arena.allocateFrom(code));
            if (status != 0) {
                throw new IllegalStateException("Python failed at " + code);
            }
        }
    }

    public static void main(String[] arguments) throws Throwable {
        NumpyExchange exchange = new NumpyExchange(Path.of(arguments[0]));
        exchange.run(PRELUDE);
        try (BufferPool pool = BufferPool.create("dlpack", 1 << 16)) {
            exchange.give(pool);
        }
        exchange.take();
    }

    private void give(BufferPool pool) throws Throwable {
        Tensor tensor = Tensor.allocate(ElementType.FLOAT32, Shape.of(2, 3), pool);
        for (int i = 0; i < 6; i++) {
            tensor.segment().setAtIndex(JAVA_FLOAT, i, i / 2f);
        }
        run("array = numpy.from_dlpack(FromJava(" + DlPack.export(tensor).address() + "))");
        run("say('numpy sees', array.shape, array.dtype, array.tolist())");
        tensor.segment().setAtIndex(JAVA_FLOAT, 5, 99f);
        run("say('after a write from Java:', array[1, 2])");
        run("del array");
        IO.println("deleted by numpy: " + DlPack.exported() + " exported, " + pool.outstanding() + " leased");
    }

    private void take() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ADDRESS);
            run("array = numpy.array([[1, 2], [3, 4]], dtype='int16')\nseen = weakref.ref(array)\n"
                    + "capsule = array.__dlpack__()\n"
                    + "ctypes.c_void_p.from_address(" + pointer.address()
                    + ").value = api.PyCapsule_GetPointer(capsule, b'dltensor')\n"
                    + "api.PyCapsule_SetName(capsule, used)\ndel capsule");
            try (Tensor taken = DlPack.take(pointer.get(ADDRESS, 0))) {
                StringBuilder elements = new StringBuilder();
                for (int i = 0; i < 4; i++) {
                    elements.append(' ').append(taken.segment().getAtIndex(JAVA_SHORT, i));
                }
                IO.println("java sees " + taken.type() + " " + taken.shape() + elements);
                taken.segment().setAtIndex(JAVA_SHORT, 3, (short) -7);
                run("say('after a write from Java:', array.tolist())\ndel array");
            }
            run("say('released:', seen() is None)");
        }
    }
}
