package org.jspdl.source.internal.shards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspdl.source.Cursor;
import org.jspdl.source.Permutation;
import org.jspdl.source.Position;
import org.jspdl.source.internal.Items;
import org.jspdl.source.internal.Mixing;

/// Hands out the items of shards window by window, each shuffled, and fills the next window meanwhile.
///
/// A place is the state in which the shards were at the beginning of its window, with the number of the window and of
/// its first item, and with what tells which items the window held: how many, and where shards ended that do not know
/// their size. Without shuffling, windows only bound how much is read again.
final class WindowCursor<T> implements Cursor<T> {
    /// How many items a place may lie behind the one its state describes when nothing is shuffled.
    private static final int PLACES_PER_STATE = 16;

    private final InterleavingCursor<T> shards;
    private final ShardMix mix;
    private final Lane lane;
    private final int size;
    private final long epoch;
    private List<T> window = new ArrayList<>();
    private List<T> filling = new ArrayList<>();
    private LongUnaryOperator order = LongUnaryOperator.identity();
    private int next;
    private long number;
    private long first;
    private String state = "";
    private String fillingState = "";
    private final List<long[]> fillingEnds = new ArrayList<>();
    private boolean ended;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private T item;

    private WindowCursor(InterleavingCursor<T> shards, ShardMix mix, Lane lane, long epoch) {
        this.shards = shards;
        this.mix = mix;
        this.lane = lane;
        this.size = size(mix);
        this.epoch = epoch;
    }

    /// The most items of a window.
    static int size(ShardMix mix) {
        return mix.window() == 1 ? PLACES_PER_STATE : mix.window();
    }

    /// In which order the `items` items of window number `window` are handed out.
    static LongUnaryOperator order(ShardMix mix, long epoch, long window, int items) {
        return mix.window() > 1 && mix.shuffled()
                ? Permutation.of(items, Mixing.key(mix.seed(), epoch), window)::apply
                : LongUnaryOperator.identity();
    }

    /// A cursor at a place of the stream; it owns `shards`.
    ///
    /// @param lane  what its places are of
    /// @param start the number of the first item of all
    static <T> WindowCursor<T> open(
            InterleavingCursor<T> shards, ShardMix mix, Lane lane, long epoch, Position from, long start)
            throws Exception {
        WindowCursor<T> cursor = new WindowCursor<>(shards, mix, lane, epoch);
        try {
            cursor.begin(from, start);
            return cursor;
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    private void begin(Position from, long start) throws Exception {
        if (from.state().isEmpty()) {
            first = start;
            shards.begin(mix.interleave());
        } else {
            StateText.Reader text = new StateText.Reader(from.state(), "a stream of shards");
            Lane.read(text);
            number = text.longNumber();
            first = text.longNumber();
            shards.restore(text);
        }
        long skipped = from.index() - first;
        if (skipped < 0 || skipped > size) {
            throw new IllegalArgumentException(from + " is not a place of a stream of shards with windows of " + size);
        }
        fillingState = stateNow(number, first);
        while (filling.size() < size && fill()) {
            // until the window is full, or the shards have ended
        }
        turn();
        for (; next < skipped && next < window.size(); next++) {
            fill();
            Items.close(peek());
        }
    }

    private String stateNow(long window, long firstItem) {
        StateText.Writer text = new StateText.Writer();
        lane.write(text);
        text.number(window).number(firstItem);
        shards.state(text);
        return text.toString();
    }

    /// The state of the window that was filled: where the shards stood at its beginning, and which of them ended in
    /// it.
    private String filledState() {
        StateText.Writer text = new StateText.Writer().number(filling.size()).number(fillingEnds.size());
        for (long[] end : fillingEnds) {
            text.number(end[0]).number(end[1]);
        }
        return fillingState + text;
    }

    private boolean fill() throws Exception {
        if (ended) {
            return false;
        }
        ended = !shards.advance();
        fillingEnds.addAll(shards.ends());
        if (!ended) {
            filling.add(shards.take());
        }
        return !ended;
    }

    /// Begins to hand out what was filled; the shards stand at the beginning of the window after it.
    private void turn() {
        state = filledState();
        List<T> emptied = window;
        window = filling;
        emptied.clear();
        filling = emptied;
        fillingEnds.clear();
        fillingState = stateNow(number + 1, first + window.size());
        next = 0;
        order = order(mix, epoch, number, window.size());
    }

    private T peek() {
        return window.get((int) order.applyAsLong(next));
    }

    @Override
    public boolean advance() throws Exception {
        if (next == window.size() && !window.isEmpty()) {
            number++;
            first += window.size();
            turn();
        }
        if (window.isEmpty()) {
            return false;
        }
        fill();
        item = peek();
        next++;
        return true;
    }

    @Override
    public T item() {
        return item;
    }

    @Override
    public Position position() {
        // what follows a window belongs to the next one
        boolean turns = next == window.size() && !filling.isEmpty();
        return new Position(first + next, turns ? filledState() : state);
    }

    @Override
    public void close() throws IOException {
        try (shards) {
            for (; next < window.size(); next++) {
                Items.close(peek());
            }
            for (T waiting : filling) {
                Items.close(waiting);
            }
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("an item that waited in a window could not be closed", failure);
        } finally {
            window.clear();
            filling.clear();
            next = 0;
        }
    }
}
