package org.jspdl.pipeline.intercept;

import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What comes of an intercepted call: an item, or none. Owned by one thread at a time.
///
/// @param <R> what the stage makes
@SuppressWarnings("try") // what is closed is the user's, which may throw anything
public final class CallResult<R> implements AutoCloseable {
    private @Nullable R item;

    private CallResult(@Nullable R item) {
        this.item = item;
    }

    /// `item` is passed on.
    public static <R> CallResult<R> of(R item) {
        return new CallResult<>(Objects.requireNonNull(item, "an item must not be null; to drop it, return dropped()"));
    }

    /// Nothing is passed on.
    public static <R> CallResult<R> dropped() {
        return new CallResult<>(null);
    }

    /// Whether there is an item.
    public boolean isPassed() {
        return item != null;
    }

    /// The item, which from now on is the caller's to close.
    ///
    /// @throws NoSuchElementException if it was dropped, or was taken before
    public R take() {
        R taken = item;
        if (taken == null) {
            throw new NoSuchElementException("the item was dropped or taken before");
        }
        item = null;
        return taken;
    }

    /// Closes the item if it was not taken and can be closed.
    @Override
    public void close() throws Exception {
        Object left = item;
        item = null;
        if (left instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
