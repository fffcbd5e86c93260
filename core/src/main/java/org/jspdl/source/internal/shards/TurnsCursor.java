package org.jspdl.source.internal.shards;

import java.io.IOException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.internal.Items;
import org.jspecify.annotations.Nullable;

/// One rank's turns in a sequence that all ranks read, so that nobody need know how long it is: of each round of as
/// many items as there are ranks, this rank hands out the one that is its own, and closes the others.
///
/// A round is handed out when it has been read as a whole. So all ranks end with the same round, whatever was left of
/// the sequence behind it; or the last round is filled up from the beginning. A place is that behind a round.
///
/// Of what ranks have shared out anew, the last round is handed out though it is not full: nothing is lost.
final class TurnsCursor<T> implements Cursor<T> {
    private final Cursor<T> sequence;
    private final Opening<T> anew;
    private final ShardMix mix;
    private final ItemRuns given;
    private final boolean isEven;
    private Position place;

    @SuppressWarnings("NullAway.Init") // item() comes after advance()
    private T item;

    /// Opens the sequence at its beginning.
    @FunctionalInterface
    interface Opening<T> {
        /// A cursor, owned by the caller.
        Cursor<T> open() throws Exception;
    }

    /// @param sequence at a place behind a round; closed with this
    /// @param anew     used if the last round is filled up
    /// @param given    items that were handed out before, by their numbers in the sequence
    /// @param isEven   whether the last round is filled up or left out, if it isn't full
    TurnsCursor(Cursor<T> sequence, Opening<T> anew, ShardMix mix, ItemRuns given, boolean isEven) {
        this.sequence = sequence;
        this.place = sequence.position();
        this.anew = anew;
        this.mix = mix;
        this.given = given;
        this.isEven = isEven;
    }

    @Override
    public boolean advance() throws Exception {
        T mine = null;
        int read = 0;
        try {
            while (read < mix.worldSize() && sequence.advance()) {
                boolean wasGiven = given.contains(sequence.position().index() - 1);
                if (!wasGiven && read == mix.rank()) {
                    mine = sequence.item();
                } else {
                    Items.close(sequence.item());
                }
                read += wasGiven ? 0 : 1;
            }
            boolean fills = isEven && read > 0 && read < mix.worldSize() && mix.even() == Even.REPEAT;
            if (fills && mine == null) {
                mine = fromTheStart(mix.rank() - read);
            }
            place = sequence.position();
            if (mine != null && (fills || !isEven || read == mix.worldSize())) {
                item = mine;
                mine = null;
                return true;
            }
            return false;
        } finally {
            close(mine);
        }
    }

    /// The item behind the first `passed` of the epoch, which begins again where it has fewer.
    private T fromTheStart(int passed) throws Exception {
        int left = passed;
        while (true) {
            try (Cursor<T> again = anew.open()) {
                for (; again.advance(); left--) {
                    T found = again.item();
                    if (left == 0) {
                        return found;
                    }
                    Items.close(found);
                }
            }
        }
    }

    private void close(@Nullable T unused) throws Exception {
        if (unused != null) {
            Items.close(unused);
        }
    }

    @Override
    public T item() {
        return item;
    }

    @Override
    public Position position() {
        return place;
    }

    @Override
    public void close() throws IOException {
        sequence.close();
    }
}
