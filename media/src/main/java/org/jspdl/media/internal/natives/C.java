package org.jspdl.media.internal.natives;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/// C's types as the linker lays them out here, and functions bound by name.
public final class C {
    private static final Linker LINKER = Linker.nativeLinker();

    public static final ValueLayout.OfInt INT = (ValueLayout.OfInt) layout("int");
    public static final AddressLayout POINTER = (AddressLayout) layout("void*");
    public static final ValueLayout.OfLong SIZE_T = (ValueLayout.OfLong) layout("size_t");
    public static final ValueLayout.OfLong LONG_LONG = (ValueLayout.OfLong) layout("long long");

    /// All memory, to be read at addresses that a library gave: allocates nothing, and checks nothing.
    @SuppressWarnings("restricted")
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private C() {}

    /// `unsigned long`, where it has 64 bits (every system but Windows).
    public static ValueLayout.OfLong unsignedLong() {
        MemoryLayout layout = layout("long");
        if (layout instanceof ValueLayout.OfLong is64) {
            return is64;
        }
        throw new UnsupportedOperationException(
                "C long has " + layout.byteSize() + " bytes on this system; 8 are supported");
    }

    private static MemoryLayout layout(String type) {
        return Objects.requireNonNull(LINKER.canonicalLayouts().get(type), type);
    }

    /// A handle on the function `name` that returns a value.
    ///
    /// @throws UnsatisfiedLinkError if the library has no such function
    @SuppressWarnings("restricted")
    public static MethodHandle function(
            SymbolLookup library, String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(find(library, name), FunctionDescriptor.of(result, arguments));
    }

    /// A handle on the function `name` that returns nothing.
    ///
    /// @throws UnsatisfiedLinkError if the library has no such function
    @SuppressWarnings("restricted")
    public static MethodHandle procedure(SymbolLookup library, String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(find(library, name), FunctionDescriptor.ofVoid(arguments));
    }

    private static MemorySegment find(SymbolLookup library, String name) {
        return library.find(name).orElseThrow(() -> new UnsatisfiedLinkError("the library has no function " + name));
    }

    /// The text at a `char*`; empty if it is NULL.
    @SuppressWarnings("restricted")
    public static String text(MemorySegment pointer) {
        return pointer.address() == 0 ? "" : pointer.reinterpret(Long.MAX_VALUE).getString(0);
    }

    /// The `byteSize` bytes at a pointer, which the caller knows to be there.
    @SuppressWarnings("restricted")
    public static MemorySegment view(MemorySegment pointer, long byteSize) {
        return pointer.reinterpret(byteSize);
    }

    /// What a downcall handle threw, which can only be unchecked: to be thrown by the caller.
    public static RuntimeException thrown(Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a native call threw a checked exception", failure);
    }
}
