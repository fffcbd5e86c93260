package org.jspdl.observe.report;

import java.util.List;
import java.util.function.DoubleFunction;

/// A part of a report. Keys name a section and its values in JSON, titles and labels name them for people; what lacks
/// one of the two is left out there.
public sealed interface Section {
    /// Values with names.
    ///
    /// @param key   the JSON object that holds them; empty if they are members of the document
    /// @param title the heading; empty for none
    record Figures(String key, String title, List<Figure> figures) implements Section {}

    /// One value with its name.
    ///
    /// @param note what is added for people
    record Figure(String key, String label, Value value, String note) {
        /// A value for people and programs.
        public static Figure of(String key, String label, Value value) {
            return new Figure(key, label, value, "");
        }

        /// A value for programs.
        public static Figure json(String key, Value value) {
            return new Figure(key, "", value, "");
        }

        /// Words for people.
        public static Figure shown(String label, String words) {
            return new Figure("", label, new Value.Words(words), "");
        }
    }

    /// Rows of values. An empty table is an empty array, and not shown.
    ///
    /// @param note       a line below the table
    /// @param rowsInText as many rows are printed in a terminal
    record Table(String key, String title, List<Column> columns, List<List<Value>> rows, String note, int rowsInText)
            implements Section {}

    /// Values with names that are too many for a terminal: in HTML alone.
    static Table details(String title, List<Figure> figures) {
        return new Table(
                "",
                title,
                List.of(new Column("", "name", true, false), new Column("", "value", true, false)),
                figures.stream()
                        .map(each -> List.<Value>of(
                                new Value.Words(each.key().replace("_bytes", "").replace('_', ' ')),
                                new Value.Words(each.value().text())))
                        .toList(),
                "",
                0);
    }

    /// One column.
    ///
    /// @param inText whether it is printed in a terminal
    record Column(String key, String label, boolean words, boolean inText) {
        /// A column of numbers, shown everywhere.
        public static Column numbers(String key, String label) {
            return new Column(key, label, false, true);
        }

        /// A column of words, shown everywhere.
        public static Column words(String key, String label) {
            return new Column(key, label, true, true);
        }

        /// A column of numbers that is too much for a terminal.
        public static Column wide(String key, String label) {
            return new Column(key, label, false, false);
        }

        /// A column for programs.
        public static Column json(String key) {
            return new Column(key, "", false, false);
        }
    }

    /// A line for people.
    record Line(String text) implements Section {}

    /// What limits the run, the most important first.
    record Bottlenecks(String key, List<Bottleneck> all) implements Section {}

    /// One limit and what to change.
    ///
    /// @param figures  for programs
    /// @param shown    whether it is likely enough for people
    /// @param remedies columns `change`, rates, `gain`
    record Bottleneck(String headline, String evidence, List<Figure> figures, boolean shown, Table remedies) {}

    /// The pipeline as a drawing, in HTML alone.
    record Diagram(String title, List<Box> boxes, List<Arrow> arrows, List<Key> legend) implements Section {}

    /// A stage in the drawing.
    ///
    /// @param marked whether it stands out
    record Box(String name, List<String> lines, List<Bar> bars, boolean marked) {}

    /// A part of a box's bar.
    ///
    /// @param color the name of a color of the style
    record Bar(String color, String label, double part) {}

    /// A queue in the drawing.
    ///
    /// @param filled how full it is, from 0 to 1
    record Arrow(String from, String to, double filled, String label, String hint) {}

    /// An entry of a legend.
    record Key(String color, String label) {}

    /// Values over time: a drawing in HTML, arrays in JSON.
    ///
    /// @param seconds when each interval ends
    record Plots(String key, String title, double[] seconds, List<Plot> plots) implements Section {}

    /// Lines over time with one scale.
    ///
    /// @param axis writes a value of the vertical axis
    record Plot(String title, DoubleFunction<String> axis, List<Series> series) {}

    /// One line, with a value for each interval.
    ///
    /// @param key empty if it is not in JSON
    record Series(String key, String name, double[] values) {}
}
