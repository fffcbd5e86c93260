package org.jspdl.cli.top;

import java.util.ArrayList;
import java.util.List;

/// The columns of the table of stages that fit into a terminal: the most important ones.
///
/// @param shown whether each column is shown
/// @param name  width of the first
/// @param left  width that is left for the bar
record TopColumns(List<Boolean> shown, int name, int left) {
    /// A column.
    ///
    /// @param rank 0 for what is always shown
    private record Column(String title, int width, int rank) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("workers", 7, 3),
            new Column("items/s", 8, 1),
            new Column("mean", 9, 4),
            new Column("p99", 9, 7),
            new Column("starved", 7, 5),
            new Column("backpressured", 13, 5),
            new Column("queue", 9, 6),
            new Column("failed", 7, 8),
            new Column("busy", 6, 0));
    private static final int RANKS = 9;

    /// Those that fit beside a name and a bar.
    static TopColumns fitting(int columns, int name, int bar) {
        for (int most = RANKS; ; most--) {
            int rank = most;
            List<Boolean> shown =
                    COLUMNS.stream().map(column -> column.rank <= rank).toList();
            int width = name;
            for (int i = 0; i < shown.size(); i++) {
                width += shown.get(i) ? 1 + COLUMNS.get(i).width : 0;
            }
            if (width + 1 + bar <= columns || most == 0) {
                return new TopColumns(shown, name, columns - width - 1);
            }
        }
    }

    String head() {
        List<String> titles = new ArrayList<>();
        titles.add("stage");
        COLUMNS.forEach(column -> titles.add(column.title));
        titles.add("");
        return row(titles.toArray(String[]::new));
    }

    /// @param cells the name, a cell for each column, the bar
    String row(String... cells) {
        StringBuilder row = new StringBuilder(pad(cells[0], name));
        for (int i = 0; i < COLUMNS.size(); i++) {
            if (shown.get(i)) {
                String cell = cells[i + 1];
                int width = COLUMNS.get(i).width;
                row.append(' ')
                        .append(" ".repeat(Math.max(0, width - cell.length())))
                        .append(cell);
            }
        }
        return row.append(' ').append(cells[cells.length - 1]).toString().stripTrailing();
    }

    private static String pad(String text, int width) {
        return text.length() > width ? text.substring(0, width) : text + " ".repeat(width - text.length());
    }
}
