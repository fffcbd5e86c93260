package org.jspdl.source.internal.shards;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.source.Cursor;
import org.jspdl.source.Permutation;
import org.jspdl.source.Position;
import org.jspdl.source.internal.Items;
import org.jspdl.source.internal.Mixing;

/// Hands out the items of shards window by window, each shuffled, and fills the next window meanwhile.
///
/// A place is the state in which the shards were at the beginning of its window, with the number of the window and of
/// its first item. Without shuffling, windows only bound how much is read again.
public final class WindowCursor<T> implements Cursor<T> {
    /// How many items a place may lie behind the one its state describes when nothing is shuffled.
    private static final int PLACES_PER_STATE = 16;

    private final InterleavingCursor<T> shards;
    private final ShardMix mix;
    private final int size;
    private final long key;
    private List<T> window = new ArrayList<>();
    private List<T> filling = new ArrayList<>();
    private Permutation order;
    private int next;
    private long number;
    private long first;
    private String state = "";
    private String fillingState = "";
    private boolean ended;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private T item;

    private WindowCursor(InterleavingCursor<T> shards, ShardMix mix, long epoch) {
        this.shards = shards;
        this.mix = mix;
        this.size = mix.window() == 1 ? PLACES_PER_STATE : mix.window();
        this.key = Mixing.key(mix.seed(), epoch);
        this.order = Permutation.of(0, 0, 0);
    }

    /// A cursor at a place of the stream; it owns `shards`.
    public static <T> WindowCursor<T> open(InterleavingCursor<T> shards, ShardMix mix, long epoch, Position from)
            throws Exception {
        WindowCursor<T> cursor = new WindowCursor<>(shards, mix, epoch);
        try {
            cursor.begin(from);
            return cursor;
        } catch (Throwable failure) {
            cursor.close();
            throw failure;
        }
    }

    private void begin(Position from) throws Exception {
        if (from.state().isEmpty()) {
            shards.begin(mix.interleave());
        } else {
            StateText.Reader text = new StateText.Reader(from.state(), "a stream of shards");
            number = text.longNumber();
            first = text.longNumber();
            checkRank(text.longNumber(), text.longNumber());
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

    private void checkRank(long rank, long worldSize) {
        if (rank != mix.rank() || worldSize != mix.worldSize()) {
            throw new IllegalArgumentException("a place of rank " + rank + " of " + worldSize
                    + " in a stream of shards can't be found by rank " + mix.rank() + " of " + mix.worldSize()
                    + "; another number of ranks can take over at the beginning of an epoch"
                    + " (Checkpoint.startOfEpoch)");
        }
    }

    private String stateNow(long window, long firstItem) {
        StateText.Writer text = new StateText.Writer()
                .number(window)
                .number(firstItem)
                .number(mix.rank())
                .number(mix.worldSize());
        shards.state(text);
        return text.toString();
    }

    private boolean fill() throws Exception {
        if (ended || !shards.advance()) {
            ended = true;
            return false;
        }
        filling.add(shards.take());
        return true;
    }

    /// Begins to hand out what was filled; the shards stand at the beginning of the window after it.
    private void turn() {
        List<T> emptied = window;
        window = filling;
        emptied.clear();
        filling = emptied;
        state = fillingState;
        fillingState = stateNow(number + 1, first + window.size());
        next = 0;
        order = isShuffled() ? Permutation.of(window.size(), key, number) : order;
    }

    private boolean isShuffled() {
        return mix.window() > 1 && mix.shuffled();
    }

    private T peek() {
        return window.get(isShuffled() ? (int) order.apply(next) : next);
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
        return new Position(first + next, state);
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
