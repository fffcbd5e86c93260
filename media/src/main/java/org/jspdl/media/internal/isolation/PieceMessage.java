package org.jspdl.media.internal.isolation;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.jspdl.media.internal.helper.MappedPieces;
import org.jspdl.media.internal.helper.Pieces;

/// How a helper is told which pieces of memory it may write to.
final class PieceMessage {
    private PieceMessage() {}

    static void write(Pieces.News news, DataOutputStream out) throws IOException {
        write(news.forgotten(), out);
        write(news.readOnly(), out);
        write(news.writable(), out);
    }

    private static void write(List<Long> numbers, DataOutputStream out) throws IOException {
        out.writeInt(numbers.size());
        for (long number : numbers) {
            out.writeLong(number);
        }
    }

    static void read(DataInputStream in, MappedPieces pieces) throws IOException {
        pieces.begin();
        for (int left = in.readInt(); left > 0; left--) {
            pieces.forget(in.readLong());
        }
        for (int left = in.readInt(); left > 0; left--) {
            pieces.protect(in.readLong());
        }
        for (int left = in.readInt(); left > 0; left--) {
            pieces.free(in.readLong());
        }
    }
}
