package org.jspdl.media.internal.lifetime;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A C object with one owner, which frees it once. Public types extend it; users see only [#close].
public abstract class NativeHandle implements AutoCloseable {
    private static final VarHandle POINTER;

    static {
        try {
            POINTER = MethodHandles.lookup().findVarHandle(NativeHandle.class, "pointer", MemorySegment.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private @Nullable MemorySegment pointer;

    /// Owns `pointer` from here.
    protected NativeHandle(MemorySegment pointer) {
        this.pointer = pointer;
        LiveHandles.opened();
    }

    /// The C object.
    ///
    /// @throws IllegalStateException if it was closed
    protected final MemorySegment pointer() {
        MemorySegment current = pointer;
        if (current == null) {
            throw new IllegalStateException(this + " was closed and can't be used again");
        }
        return current;
    }

    /// Whether the C object is still here.
    protected final boolean isOpen() {
        return pointer != null;
    }

    /// Frees the C object.
    protected abstract void free(MemorySegment object);

    @Override
    public void close() {
        MemorySegment current = (MemorySegment) POINTER.getAndSet(this, null);
        if (current != null) {
            LiveHandles.closed();
            free(current);
        }
    }
}
