package org.jspdl.data.dataset;

import java.util.Optional;
import org.jspdl.data.internal.text.RowPlaces;
import org.jspdl.data.storage.Location;

/// How the rows of a manifest are written.
enum ManifestFormat {
    /// Values with commas between them, in quotes where need be (RFC 4180), below a row of column names.
    CSV(".csv"),
    /// The same with tabs.
    TSV(".tsv"),
    /// A JSON object on each line.
    JSON_LINES(".jsonl");

    private final String ending;

    ManifestFormat(String ending) {
        this.ending = ending;
    }

    /// The format that a name says; empty if it says none.
    static Optional<ManifestFormat> of(Location location) {
        for (ManifestFormat format : values()) {
            if (location.endsWith(format.ending)) {
                return Optional.of(format);
            }
        }
        return location.endsWith(".ndjson") ? Optional.of(JSON_LINES) : Optional.empty();
    }

    RowPlaces.Break rowEnding() {
        return switch (this) {
            case CSV -> RowPlaces.Break.UNQUOTED_COMMA_LINE;
            case TSV -> RowPlaces.Break.UNQUOTED_TAB_LINE;
            case JSON_LINES -> RowPlaces.Break.LINE;
        };
    }

    char separator() {
        return this == TSV ? '\t' : ',';
    }
}
