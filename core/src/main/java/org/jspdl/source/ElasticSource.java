package org.jspdl.source;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A source of one rank's items, of which any number of ranks can take over what is left of an epoch.
///
/// Unlike the places of a [RankedSource], those of such a source belong to a share: that of one rank of a number of
/// ranks. When the number of ranks changes within an epoch, [#share] puts together what they have left, as a text from
/// which each of the new ranks takes its part. A place tells whose share it is of, so that any rank can open it.
public interface ElasticSource<T> extends Source<T> {
    /// This share's rank, counted from 0.
    int rank();

    /// How many ranks share an epoch.
    int worldSize();

    /// The same source over what `shares` tell to be left of some epochs, by epoch: the texts of [#share]. There
    /// [Position#START] is the beginning of this rank's part of the last one.
    ElasticSource<T> sharing(Map<Long, List<String>> shares);

    /// Whose share a place is of. Opened at one place, a source comes to all later ones of the same share.
    String owner(Position place);

    /// Puts together what ranks have left of an epoch. Every new rank gets the same.
    ///
    /// @param left  by rank; there are as many as ranks that shared the epoch so far, of this source otherwise
    /// @param apart places that are not shared out: single ranks read them as they are
    /// @return what shared this epoch so far, and one text more; those that nothing refers to may be empty
    List<String> share(long epoch, List<Left> left, List<Position> apart) throws Exception;

    /// A cursor, which tells its [position][Cursor#position] before the first item, too.
    @Override
    Cursor<T> open(long epoch, Position from) throws Exception;

    /// What one rank has left of an epoch.
    ///
    /// @param pending places of single items
    /// @param next    the place from which all is left; null if there is none
    record Left(List<Position> pending, @Nullable Position next) {}
}
