package org.jspdl.device.dlpack;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ConcurrentHashMap;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;

/// What was exported and not deleted: the structs that foreign code points to, and what they keep alive.
///
/// Static because C calls back without knowing anything but the address of a struct, at any time.
final class Exports {
    private static final ConcurrentHashMap<Long, Export> LIVE = new ConcurrentHashMap<>();

    // void (*deleter)(struct DLManagedTensor *self)
    private static final FunctionDescriptor DELETER = FunctionDescriptor.ofVoid(Managed.POINTER);
    private static final MemorySegment OURS = stub();
    private static final MethodHandle THEIRS = downcall();

    /// @param memory  holds the struct; freed when nobody knows it any more
    /// @param release closes the tensor
    private record Export(MemorySegment memory, Runnable release) {}

    private Exports() {}

    static MemorySegment add(
            ElementType type, Shape shape, long address, int deviceType, int deviceId, Runnable release) {
        long extents = (long) shape.rank() * Long.BYTES;
        MemorySegment memory = Arena.ofAuto().allocate(Managed.LAYOUT.byteSize() + 2 * extents, Long.BYTES);
        MemorySegment extent = memory.asSlice(Managed.LAYOUT.byteSize(), extents);
        MemorySegment stride = memory.asSlice(Managed.LAYOUT.byteSize() + extents, extents);
        long step = 1;
        for (int dimension = shape.rank() - 1; dimension >= 0; dimension--) {
            extent.setAtIndex(JAVA_LONG, dimension, shape.extent(dimension));
            stride.setAtIndex(JAVA_LONG, dimension, step);
            step *= Math.max(1, shape.extent(dimension));
        }
        memory.set(Managed.POINTER, Managed.DATA, MemorySegment.ofAddress(address));
        memory.set(JAVA_INT, Managed.DEVICE_TYPE, deviceType);
        memory.set(JAVA_INT, Managed.DEVICE_ID, deviceId);
        memory.set(JAVA_INT, Managed.RANK, shape.rank());
        memory.set(JAVA_BYTE, Managed.CODE, (byte) Codes.of(type));
        memory.set(JAVA_BYTE, Managed.BITS, (byte) (type.byteSize() * 8));
        memory.set(JAVA_SHORT, Managed.LANES, (short) 1);
        memory.set(Managed.POINTER, Managed.SHAPE, extent);
        memory.set(Managed.POINTER, Managed.STRIDES, stride);
        memory.set(Managed.POINTER, Managed.DELETER, OURS);
        LIVE.put(memory.address(), new Export(memory, release));
        return memory.asSlice(0, Managed.LAYOUT.byteSize());
    }

    static int count() {
        return LIVE.size();
    }

    /// Called from C, on any thread: must not throw, or the process ends.
    @SuppressWarnings("UnusedMethod") // called by its name, through an upcall stub
    private static void deleted(MemorySegment managed) {
        try {
            Export export = LIVE.remove(managed.address());
            if (export != null) {
                export.release().run();
            }
        } catch (Throwable failure) {
            System.getLogger("org.jspdl.device.dlpack")
                    .log(Level.ERROR, "cannot release a tensor that was exported by DLPack", failure);
        }
    }

    /// Calls the deleter of a struct that somebody else made; there may be none.
    static void delete(MemorySegment managed) {
        MemorySegment deleter = managed.get(Managed.POINTER, Managed.DELETER);
        if (deleter.address() != 0) {
            try {
                THEIRS.invokeExact(deleter, managed);
            } catch (RuntimeException | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new IllegalStateException("a native call threw a checked exception", failure);
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub() {
        try {
            MethodHandle deleted = MethodHandles.lookup()
                    .findStatic(Exports.class, "deleted", MethodType.methodType(void.class, MemorySegment.class));
            return Linker.nativeLinker().upcallStub(deleted, DELETER, Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle downcall() {
        return Linker.nativeLinker().downcallHandle(DELETER);
    }
}
