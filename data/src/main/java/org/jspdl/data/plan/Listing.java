package org.jspdl.data.plan;

import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.RankedSource;
import org.jspdl.source.Sampler;
import org.jspecify.annotations.Nullable;

/// What belongs to the numbers of a sampler, in its order.
///
/// @param what begins its identity
record Listing<T>(String what, Sampler sampler, Items<T> item) implements RankedSource<T> {

    /// Gets an item by its number.
    @FunctionalInterface
    interface Items<T> {
        T get(long number) throws Exception;
    }

    @Override
    public Cursor<T> open(long epoch, Position from) {
        Cursor<Long> numbers = sampler.open(epoch, from);
        return new Cursor<>() {
            private @Nullable T current;

            @Override
            public boolean advance() throws Exception {
                if (!numbers.advance()) {
                    return false;
                }
                current = item.get(numbers.item());
                return true;
            }

            @Override
            public T item() {
                return Objects.requireNonNull(current);
            }

            @Override
            public Position position() {
                return numbers.position();
            }

            @Override
            public void close() throws IOException {
                numbers.close();
            }
        };
    }

    @Override
    public OptionalLong size() {
        return sampler.size();
    }

    @Override
    public String identity() {
        return what + " " + sampler.identity();
    }

    @Override
    public int rank() {
        return sampler.rank();
    }

    @Override
    public int worldSize() {
        return sampler.worldSize();
    }

    @Override
    public long places() {
        return sampler.places();
    }
}
