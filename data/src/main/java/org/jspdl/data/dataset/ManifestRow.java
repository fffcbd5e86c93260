package org.jspdl.data.dataset;

import java.util.Map;
import java.util.Optional;
import org.jspdl.data.internal.text.Decimals;
import org.jspdl.data.storage.Location;

/// A row of a [Manifest]: values by the names of their columns. Immutable.
public final class ManifestRow {
    private final Location manifest;
    private final long index;
    private final Map<String, String> values;

    ManifestRow(Location manifest, long index, Map<String, String> values) {
        this.manifest = manifest;
        this.index = index;
        this.values = values;
    }

    /// The row's index, from 0.
    public long index() {
        return index;
    }

    /// The value in `column`; empty if the row has none. Lists and objects of JSON lines are given as their JSON.
    public Optional<String> find(String column) {
        return Optional.ofNullable(values.get(column));
    }

    /// The value in `column`.
    ///
    /// @throws IllegalArgumentException if the row has none
    public String text(String column) {
        String value = values.get(column);
        if (value == null) {
            throw new IllegalArgumentException(
                    where() + " has no value in a column '" + column + "'; it has " + values.keySet());
        }
        return value;
    }

    /// The whole number in `column`.
    public long whole(String column) {
        try {
            return Long.parseLong(text(column).strip());
        } catch (NumberFormatException notNumber) {
            throw wrong(column, "a whole number", notNumber);
        }
    }

    /// The number in `column`, in decimal digits, or one of `NaN`, `Infinity` and `-Infinity`.
    public double decimal(String column) {
        String text = text(column).strip();
        try {
            return Decimals.parse(text);
        } catch (NumberFormatException notNumber) {
            throw wrong(column, "a number", notNumber);
        }
    }

    /// The location in `column`: a name relative to the manifest's folder, or one that says itself where it lies.
    public Location location(String column) {
        return manifest.parent().resolve(text(column));
    }

    /// By the names of their columns.
    Map<String, String> values() {
        return values;
    }

    private IllegalArgumentException wrong(String column, String expected, Exception cause) {
        return new IllegalArgumentException(
                where() + " should have " + expected + " in column '" + column + "' but has '" + text(column) + "'",
                cause);
    }

    private String where() {
        return "row " + (index + 1) + " of " + manifest;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
