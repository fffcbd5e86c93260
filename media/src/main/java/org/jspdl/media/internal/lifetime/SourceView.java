package org.jspdl.media.internal.lifetime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspdl.files.MappedInput;
import org.jspdl.input.MediaException;
import org.jspecify.annotations.Nullable;

/// All bytes of a source where they lie, if that is possible: in memory, or in a file that is mapped until this is
/// closed. Used by one thread.
public final class SourceView implements AutoCloseable {
    private final String name;
    private final @Nullable MemorySegment bytes;
    private final @Nullable MappedInput mapped;

    private SourceView(String name, @Nullable MemorySegment bytes, @Nullable MappedInput mapped) {
        this.name = name;
        this.bytes = bytes;
        this.mapped = mapped;
    }

    /// Of a source whose bytes lie elsewhere.
    public static SourceView none(String name) {
        return new SourceView(name, null, null);
    }

    /// Of memory, which stays the caller's.
    public static SourceView of(String name, MemorySegment bytes) {
        return new SourceView(name, bytes.asReadOnly(), null);
    }

    /// Of a mapped file, which is closed with this.
    public static SourceView of(String name, MappedInput mapped) {
        return new SourceView(name, mapped.bytes(), mapped);
    }

    /// What `reading` makes of the bytes; empty where they lie elsewhere.
    ///
    /// @throws MediaException if the file became shorter
    public <T> Optional<T> read(Function<MemorySegment, T> reading) {
        MemorySegment all = bytes;
        if (all == null) {
            return Optional.empty();
        }
        if (mapped == null && !all.isMapped()) {
            return Optional.of(reading.apply(all));
        }
        try {
            return Optional.of(
                    mapped == null
                            ? MappedInput.reading(all, () -> reading.apply(all))
                            : mapped.read(() -> reading.apply(all)));
        } catch (UncheckedIOException lost) {
            IOException cause = Objects.requireNonNull(lost.getCause());
            throw MediaException.of(name, "cannot be read: " + cause.getMessage(), cause);
        }
    }

    /// What tells one source from another: what `of` makes of the bytes, or of the name where they can't be read.
    public long key(ToLongFunction<MemorySegment> of) {
        try {
            Optional<Long> key = read(of::applyAsLong);
            if (key.isPresent()) {
                return key.get();
            }
        } catch (MediaException shorter) {
            // Whoever reads it next is told.
        }
        return of.applyAsLong(MemorySegment.ofArray(name.getBytes(StandardCharsets.UTF_8)));
    }

    /// The same as [#read] with what has to be closed: it is, if the file became shorter.
    ///
    /// @param reading may make nothing of them
    public <T extends AutoCloseable> Optional<T> take(Function<MemorySegment, Optional<T>> reading) {
        List<T> made = new ArrayList<>(1);
        try {
            Optional<Optional<T>> taken = read(file -> {
                Optional<T> one = reading.apply(file);
                one.ifPresent(made::add);
                return one;
            });
            return taken.flatMap(one -> one);
        } catch (Throwable failure) {
            made.forEach(one -> close(one, failure));
            throw failure;
        }
    }

    private static void close(AutoCloseable one, Throwable failure) {
        try {
            one.close();
        } catch (Exception second) {
            failure.addSuppressed(second);
        }
    }

    @Override
    public void close() {
        if (mapped != null) {
            mapped.close();
        }
    }
}
