package org.jspdl.data.http.range;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspdl.data.http.range.Scatter.Piece;

/// Makes requests of pieces: neighbors share one, large ones are split.
public final class RangePlanner {
    private RangePlanner() {}

    /// The reads for `pieces`, which need not be in order and may overlap: overlapping ones are not shared.
    ///
    /// @param gap     the most bytes between two pieces of one request
    /// @param largest the most bytes of a request
    public static List<Scatter> of(List<Piece> pieces, long gap, long largest) {
        List<Scatter> reads = new ArrayList<>();
        List<Piece> group = new ArrayList<>();
        for (Piece piece : split(pieces, largest)) {
            if (!group.isEmpty() && !joins(piece, group, gap, largest)) {
                reads.add(new Scatter(List.copyOf(group)));
                group.clear();
            }
            group.add(piece);
        }
        reads.add(new Scatter(List.copyOf(group)));
        return reads;
    }

    private static boolean joins(Piece piece, List<Piece> group, long gap, long largest) {
        long distance = piece.offset() - group.getLast().end();
        return distance >= 0
                && distance <= gap
                && piece.end() - group.getFirst().offset() <= largest;
    }

    private static List<Piece> split(List<Piece> pieces, long largest) {
        List<Piece> parts = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            MemorySegment target = piece.target();
            for (long done = 0; done < target.byteSize(); done += largest) {
                long length = Math.min(largest, target.byteSize() - done);
                parts.add(new Piece(piece.offset() + done, target.asSlice(done, length)));
            }
        }
        parts.sort(Comparator.comparingLong(Piece::offset));
        return parts;
    }
}
