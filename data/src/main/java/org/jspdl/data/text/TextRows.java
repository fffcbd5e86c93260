package org.jspdl.data.text;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.data.internal.text.RowPlaces;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// The lines or documents of a text file in UTF-8, found by their index; empty ones are passed over.
///
/// A local file is mapped, not read into the heap; the place of every 16th is kept, half a byte for each. Safe for use
/// by several threads; closed by its owner after the last one was asked for.
public final class TextRows implements Dataset<String>, AutoCloseable {
    private final String location;
    private final WholeText text;
    private final RowPlaces places;

    private TextRows(String location, WholeText text, RowPlaces places) {
        this.location = location;
        this.text = text;
        this.places = places;
    }

    /// The lines of the file at `location`. The caller closes them.
    public static TextRows lines(Storage storage, Location location) throws IOException {
        return open(storage, location, RowPlaces.Break.LINE);
    }

    /// The lines of a file whose location is given as text. The caller closes them.
    public static TextRows lines(Storage storage, String location) throws IOException {
        return lines(storage, Location.of(location));
    }

    /// The parts of the file at `location` between empty lines. The caller closes them.
    public static TextRows documents(Storage storage, Location location) throws IOException {
        return open(storage, location, RowPlaces.Break.EMPTY_LINE);
    }

    /// The parts of a file whose location is given as text. The caller closes them.
    public static TextRows documents(Storage storage, String location) throws IOException {
        return documents(storage, Location.of(location));
    }

    private static TextRows open(Storage storage, Location location, RowPlaces.Break ending) throws IOException {
        WholeText text = WholeText.map(storage, location);
        try {
            String shown = location.toString();
            return text.read(() -> new TextRows(shown, text, RowPlaces.find(text.bytes(), ending, shown)));
        } catch (Throwable failure) {
            text.close();
            throw failure;
        }
    }

    @Override
    public long size() {
        return places.count();
    }

    /// How many bytes the whole text has, without a byte-order mark.
    public long byteSize() {
        return text.bytes().byteSize();
    }

    /// @throws IOException if it is not UTF-8, or the file became shorter; the message names it
    @Override
    public String get(long index) throws IOException {
        if (index < 0 || index >= size()) {
            throw new IndexOutOfBoundsException("text " + index + " of " + size() + " in " + location);
        }
        byte[] bytes = text.read(() -> places.row(index).toArray(ValueLayout.JAVA_BYTE));
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new IOException(location + " is not UTF-8 in text " + (index + 1), notText);
        }
    }

    @Override
    public void close() {
        text.close();
    }

    @Override
    public String toString() {
        return size() + " texts in " + location;
    }
}
