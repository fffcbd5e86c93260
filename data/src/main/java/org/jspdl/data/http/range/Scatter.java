package org.jspdl.data.http.range;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// Where the bytes of one range of an object go: to pieces of memory, in their order, with gaps between them that are
/// thrown away. Knows how far it is, so that a read which broke off is continued. One thread.
public final class Scatter {
    private static final int GAP_BUFFER = 8 << 10;
    private static final long MOST = 1L << 30;

    private final List<Piece> pieces;
    private final long end;
    private long at;
    private int index;

    /// Memory for the bytes from `offset` of the object on.
    public record Piece(long offset, MemorySegment target) {
        long end() {
            return offset + target.byteSize();
        }
    }

    /// @param pieces in the order of their offsets, without overlaps
    public Scatter(List<Piece> pieces) {
        this.pieces = pieces;
        this.at = pieces.getFirst().offset();
        this.end = pieces.getLast().end();
    }

    public static Scatter of(long offset, MemorySegment target) {
        return new Scatter(List.of(new Piece(offset, target)));
    }

    /// The same bytes from the beginning on, for memory of its own.
    public Scatter twin() {
        return new Scatter(pieces.stream()
                .map(piece -> new Piece(
                        piece.offset(),
                        MemorySegment.ofArray(
                                new byte[Math.toIntExact(piece.target().byteSize())])))
                .toList());
    }

    /// Takes over what a twin has read.
    public void copyFrom(Scatter twin) {
        for (int i = 0; i < pieces.size(); i++) {
            pieces.get(i).target().copyFrom(twin.pieces.get(i).target());
        }
    }

    /// The next byte of the object that is wanted.
    public long at() {
        return at;
    }

    public long end() {
        return end;
    }

    public boolean isFull() {
        return at == end;
    }

    /// Room for the next bytes; what is put there counts once [#advance] is told.
    public ByteBuffer next() {
        Piece piece = pieces.get(index);
        if (at < piece.offset()) {
            return ByteBuffer.allocate((int) Math.min(GAP_BUFFER, piece.offset() - at));
        }
        long within = at - piece.offset();
        return piece.target()
                .asSlice(within, Math.min(MOST, piece.target().byteSize() - within))
                .asByteBuffer();
    }

    public void advance(int count) {
        at += count;
        while (index < pieces.size() - 1 && at >= pieces.get(index).end()) {
            index++;
        }
    }

    /// Takes over bytes that lie in `source`, which may be part of the memory of the next piece, at or after the
    /// place they belong to.
    public void take(ByteBuffer source) {
        while (source.hasRemaining() && !isFull()) {
            ByteBuffer room = next();
            int count = Math.min(room.remaining(), source.remaining());
            MemorySegment.copy(
                    MemorySegment.ofBuffer(source), 0, MemorySegment.ofBuffer(room), 0, count); // may overlap
            source.position(source.position() + count);
            advance(count);
        }
    }
}
