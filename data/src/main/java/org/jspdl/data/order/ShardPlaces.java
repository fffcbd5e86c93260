package org.jspdl.data.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.source.RankedSource;
import org.jspdl.source.ShardStream;

/// Offered to a plan of which single places are run, as a job of many machines does: samples of shards are then found
/// by their places, in the order of an ordinary run. Immutable.
public final class ShardPlaces {
    /// For who compiles such a plan.
    public ShardPlaces() {}

    /// The samples of `stream` by their places.
    ///
    /// @param skippable how many broken samples an ordinary run leaves out, each of which gives its place to the
    ///     next
    /// @throws DatasetException if they can't be found so; the message says what to do
    public static <T> RankedSource<T> of(ShardStream<T> stream, long skippable) throws IOException {
        if (skippable > 0) {
            throw new DatasetException("samples of shards can't be found by their places where broken ones are left out"
                    + " ('max-failures: " + skippable
                    + "'), as others have their places then: leave it out, or make the"
                    + " shards again without broken samples ('jspdl pack SHARDS --to FOLDER')");
        }
        try {
            return stream.placed();
        } catch (IllegalStateException unplaced) {
            throw new DatasetException(String.valueOf(unplaced.getMessage()), unplaced);
        } catch (UncheckedIOException unread) {
            throw unread.getCause();
        }
    }
}
