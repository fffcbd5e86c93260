package org.jspdl.media.stream;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A C object with one owner, which frees it once.
abstract class NativeHandle implements AutoCloseable {
    private static final VarHandle POINTER;

    static {
        try {
            POINTER = MethodHandles.lookup().findVarHandle(NativeHandle.class, "pointer", MemorySegment.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private @Nullable MemorySegment pointer;
    private String ended = "was closed";

    NativeHandle(MemorySegment pointer) {
        this.pointer = pointer;
        LiveHandles.opened();
    }

    /// The C object.
    ///
    /// @throws IllegalStateException if it was closed or moved away
    final MemorySegment pointer() {
        MemorySegment current = pointer;
        if (current == null) {
            throw new IllegalStateException(this + " " + ended + " and can't be used again");
        }
        return current;
    }

    final boolean isOpen() {
        return pointer != null;
    }

    /// Takes the C object away, to be freed by the caller; `why` explains later uses, such as `was moved to a
    /// decoder`.
    final MemorySegment release(String why) {
        MemorySegment current = pointer();
        if (!POINTER.compareAndSet(this, current, null)) {
            throw new IllegalStateException(this + " is being closed by another thread");
        }
        ended = why;
        LiveHandles.closed();
        return current;
    }

    /// Frees the C object.
    abstract void free(MemorySegment object);

    @Override
    public void close() {
        MemorySegment current = (MemorySegment) POINTER.getAndSet(this, null);
        if (current != null) {
            LiveHandles.closed();
            free(current);
        }
    }
}
