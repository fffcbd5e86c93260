package org.jspdl.cli.top;

import java.util.List;
import org.jspdl.observe.text.DisplayText;

/// The columns of the table of stages that fit into a terminal: the most important ones.
///
/// Titles and rows are put together without formats, which cost more than all else that a look does while the program
/// is not compiled.
final class TopColumns {
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

    private final boolean[] shown;
    private final int name;
    private final int left;

    private TopColumns(boolean[] shown, int name, int left) {
        this.shown = shown;
        this.name = name;
        this.left = left;
    }

    /// Those that fit beside a name and a bar.
    static TopColumns fitting(int columns, int name, int bar) {
        for (int most = RANKS; ; most--) {
            boolean[] shown = new boolean[COLUMNS.size()];
            int width = name;
            for (int i = 0; i < shown.length; i++) {
                shown[i] = COLUMNS.get(i).rank <= most;
                width += shown[i] ? 1 + COLUMNS.get(i).width : 0;
            }
            if (width + 1 + bar <= columns || most == 0) {
                return new TopColumns(shown, name, columns - width - 1);
            }
        }
    }

    /// The width of the first column.
    int name() {
        return name;
    }

    /// The width that is left for the bar.
    int left() {
        return left;
    }

    String head() {
        String[] titles = new String[COLUMNS.size() + 2];
        titles[0] = "stage";
        for (int i = 0; i < COLUMNS.size(); i++) {
            titles[i + 1] = COLUMNS.get(i).title;
        }
        titles[titles.length - 1] = "";
        return row(titles);
    }

    /// @param cells the name, a cell for each column, the bar
    String row(String... cells) {
        StringBuilder row = new StringBuilder(DisplayText.padded(cells[0], name));
        for (int i = 0; i < COLUMNS.size(); i++) {
            if (shown[i]) {
                String cell = cells[i + 1];
                int width = COLUMNS.get(i).width;
                row.append(' ')
                        .append(" ".repeat(Math.max(0, width - cell.length())))
                        .append(cell);
            }
        }
        return row.append(' ').append(cells[cells.length - 1]).toString().stripTrailing();
    }
}
