package org.jspdl.data.dataset;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspdl.data.internal.text.RowPlaces;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.json.JsonReader;

/// The rows of a table in a text file: CSV, TSV or JSON lines, in UTF-8.
///
/// A local file is mapped, not read into the heap; the place of every 16th row is kept, half a byte for each. A row is
/// parsed when it is asked for, and a malformed one fails then, alone. In CSV and TSV the first row names the columns;
/// in JSON lines the keys of the first row do, and other rows may have others. Empty lines are passed over. Safe for
/// use by several threads; closed by its owner after the last row was asked for.
public final class Manifest implements Dataset<ManifestRow>, AutoCloseable {
    private final Location location;
    private final ManifestFormat format;
    private final WholeText text;
    private final RowPlaces places;
    private final List<String> columns;
    private final int headerRows;

    private Manifest(Location location, ManifestFormat format, WholeText text) throws IOException {
        this.location = location;
        this.format = format;
        this.text = text;
        this.places = RowPlaces.find(text.bytes(), format.rowEnding(), "the manifest " + this.location);
        if (places.count() == 0) {
            throw new DatasetException("the manifest " + this.location + " is empty");
        }
        if (format == ManifestFormat.JSON_LINES) {
            this.headerRows = 0;
            this.columns = List.copyOf(parse(0).keySet());
        } else {
            this.headerRows = 1;
            this.columns = header();
        }
    }

    /// Whether a location is called as a manifest is.
    public static boolean isManifest(Location location) {
        return ManifestFormat.of(location).isPresent();
    }

    /// The manifest at `location`, whose name ends in `.csv`, `.tsv`, `.jsonl` or `.ndjson`. The caller closes it.
    ///
    /// @throws DatasetException if it is empty, of another kind, or not to be read; the message says which
    public static Manifest open(Storage storage, String location) throws IOException {
        return open(storage, Location.of(location));
    }

    /// As [#open(Storage, String)].
    public static Manifest open(Storage storage, Location location) throws IOException {
        ManifestFormat format = ManifestFormat.of(location)
                .orElseThrow(() -> new DatasetException(
                        location + " is no manifest: its name should end in .csv, .tsv, .jsonl or .ndjson"));
        WholeText text = WholeText.map(storage, location);
        try {
            return text.read(() -> new Manifest(location, format, text));
        } catch (Throwable failure) {
            text.close();
            throw failure;
        }
    }

    private List<String> header() throws IOException {
        List<String> names;
        try {
            names = Delimited.split(decoded(0), format.separator());
        } catch (IllegalArgumentException malformed) {
            throw new DatasetException("the manifest " + location + ", header: " + malformed.getMessage(), malformed);
        }
        if (names.stream().distinct().count() < names.size()) {
            throw new DatasetException("the manifest " + location + " names a column twice: " + names);
        }
        return List.copyOf(names);
    }

    /// The names of the columns, in their order.
    public List<String> columns() {
        return columns;
    }

    @Override
    public long size() {
        return places.count() - headerRows;
    }

    /// @throws DatasetException if the row is malformed; the message names it
    /// @throws IOException if the file became shorter
    @Override
    public ManifestRow get(long index) throws IOException {
        if (index < 0 || index >= size()) {
            throw new IndexOutOfBoundsException("row " + index + " of " + size() + " in " + location);
        }
        return new ManifestRow(location, index, parse(index));
    }

    private Map<String, String> parse(long row) throws IOException {
        String line = decoded(row + headerRows);
        try {
            return format == ManifestFormat.JSON_LINES
                    ? JsonRow.parse(JsonReader.of(line).withNonFinite())
                    : Delimited.row(columns, line, format.separator());
        } catch (IllegalArgumentException malformed) {
            throw new DatasetException(
                    "the manifest " + location + ", row " + (row + 1) + ": " + malformed.getMessage(), malformed);
        }
    }

    private String decoded(long place) throws IOException {
        byte[] bytes = text.read(() -> places.row(place).toArray(ValueLayout.JAVA_BYTE));
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new DatasetException(
                    "the manifest " + location + " is not UTF-8 text in row " + (place + 1 - headerRows), notText);
        }
    }

    /// All rows in order, each parsed when it is reached.
    public IterableDataset<ManifestRow> rows() {
        return epoch -> new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return next < size();
            }

            @Override
            public ManifestRow next() {
                try {
                    return get(next++);
                } catch (IOException malformed) {
                    throw new java.io.UncheckedIOException(malformed);
                }
            }
        };
    }

    @Override
    public void close() {
        text.close();
    }

    @Override
    public String toString() {
        return location + ": " + size() + " rows of " + columns;
    }
}
