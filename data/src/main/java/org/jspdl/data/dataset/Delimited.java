package org.jspdl.data.dataset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Rows of values with a separator between them (RFC 4180).
final class Delimited {
    private Delimited() {}

    /// The values of a row by column.
    ///
    /// @throws IllegalArgumentException if there are more or fewer than columns, or quotes are misplaced
    static Map<String, String> row(List<String> columns, String line, char separator) {
        List<String> values = split(line, separator);
        if (values.size() != columns.size()) {
            throw new IllegalArgumentException(values.size() + " values for " + columns.size() + " columns");
        }
        Map<String, String> row = LinkedHashMap.newLinkedHashMap(values.size());
        for (int i = 0; i < values.size(); i++) {
            row.put(columns.get(i), values.get(i));
        }
        return row;
    }

    static List<String> split(String line, char separator) {
        List<String> values = new ArrayList<>();
        int at = 0;
        do {
            if (at < line.length() && line.charAt(at) == '"') {
                StringBuilder value = new StringBuilder();
                at = quoted(line, at + 1, value);
                if (at < line.length() && line.charAt(at) != separator) {
                    throw new IllegalArgumentException("text behind a closing quote, at character " + (at + 1));
                }
                values.add(value.toString());
            } else {
                int end = line.indexOf(separator, at);
                end = end < 0 ? line.length() : end;
                values.add(unquoted(line, at, end));
                at = end;
            }
        } while (at++ < line.length());
        return values;
    }

    /// A value without quotes. Rows end with a line feed; a carriage return elsewhere is the end of a row to some
    /// programs and part of a value to others.
    private static String unquoted(String line, int begin, int end) {
        int carriageReturn = line.indexOf('\r', begin, end);
        if (carriageReturn >= 0) {
            throw new IllegalArgumentException("a carriage return without a line feed, at character "
                    + (carriageReturn + 1) + "; end rows with line feeds, or quote the value");
        }
        return line.substring(begin, end);
    }

    /// Reads a quoted value; where it ends.
    private static int quoted(String line, int begin, StringBuilder value) {
        for (int at = begin; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c != '"') {
                value.append(c);
            } else if (at + 1 < line.length() && line.charAt(at + 1) == '"') {
                value.append(c);
                at++;
            } else {
                return at + 1;
            }
        }
        throw new IllegalArgumentException("a quote is never closed");
    }
}
