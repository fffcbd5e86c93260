package org.jspdl.source;

import java.util.OptionalLong;

/// Items computed from (epoch, index), so that every position is found at once.
record IndexedSource<T>(long items, Lookup<T> lookup) implements Source<T> {

    /// The item with this index in this epoch.
    @FunctionalInterface
    interface Lookup<T> {
        T at(long epoch, long index);
    }

    @Override
    public Cursor<T> open(long epoch, Position from) {
        return new Cursor<>() {
            private long next = from.index();

            @Override
            public boolean advance() {
                if (next >= items) {
                    return false;
                }
                next++;
                return true;
            }

            @Override
            public T item() {
                return lookup.at(epoch, next - 1);
            }

            @Override
            public Position position() {
                return Position.at(next);
            }
        };
    }

    @Override
    public OptionalLong size() {
        return OptionalLong.of(items);
    }
}
