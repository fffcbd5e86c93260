package org.jspdl.data.shards.filter;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;

/// Which rows of a table are read: those for which a condition is true. Immutable.
///
/// ```java
/// RowFilter germans = RowFilter.parse("lang = 'de' and label >= 10");
/// ```
///
/// @param condition what must be true of a row
public record RowFilter(Condition condition) {
    /// Checks that there is a condition.
    public RowFilter {
        Objects.requireNonNull(condition);
    }

    /// The filter that `text` says: comparisons of a column with a number, a text in single quotes, `true` or
    /// `false` by `=` or `==`, `!=` or `<>`, `<`, `<=`, `>`, `>=`; `in (1, 2)` and `not in (...)`; `is null` and
    /// `is not null`; joined by `and`, `or`, `not` and parentheses, as in SQL.
    ///
    /// A quote within a text is written twice. A name of a column that has other characters than letters, digits,
    /// `_` and `.` stands in double quotes.
    ///
    /// @throws IllegalArgumentException if it says none; the message says where it goes wrong
    public static RowFilter parse(String text) {
        return new RowFilter(new FilterParser(text).parse());
    }

    /// The names of the columns that are asked about, each once.
    public List<String> columns() {
        SequencedSet<String> names = new LinkedHashSet<>();
        addColumns(condition, names);
        return List.copyOf(names);
    }

    private static void addColumns(Condition condition, SequencedSet<String> names) {
        switch (condition) {
            case Condition.Comparison comparison -> names.add(comparison.column());
            case Condition.IsNull(var column) -> names.add(column);
            case Condition.Not(var inner) -> addColumns(inner, names);
            case Condition.And(var all) -> all.forEach(each -> addColumns(each, names));
            case Condition.Or(var any) -> any.forEach(each -> addColumns(each, names));
        }
    }

    /// The filter as [#parse] reads it; equal filters have one text.
    @Override
    public String toString() {
        return condition.toString();
    }
}
