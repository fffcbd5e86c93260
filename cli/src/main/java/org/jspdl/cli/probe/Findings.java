package org.jspdl.cli.probe;

import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// What is inside of one file.
///
/// @param table for a person, with a line break at its end
/// @param json  for a program
public record Findings(String table, String json) {
    /// A number of bytes, exact while that is short.
    static String bytes(long count) {
        return count < 1 << 20 ? Figures.count(count) + (count == 1 ? " byte" : " bytes") : Figures.bytes(count);
    }

    static Findings of(String table, JsonWriter json) {
        return new Findings(table, json.endObject().document());
    }
}
