package org.jspdl.source;

/// A cursor whose places are no more than numbers.
abstract class CountingCursor<T> implements Cursor<T> {
    private long index;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private T item;

    /// @param index how many items lie before the next one
    CountingCursor(long index) {
        this.index = index;
    }

    /// Makes `next` the current item.
    final void moveTo(T next) {
        item = next;
        index++;
    }

    @Override
    public final T item() {
        return item;
    }

    @Override
    public final Position position() {
        return Position.at(index);
    }
}
