package org.jspdl.cli.inspect;

import java.util.List;

/// Rows of words as columns, two spaces apart and two from the left.
final class Columns {
    private Columns() {}

    /// @param sides for each column `l` or `r`: where its words begin or end
    static String of(List<List<String>> rows, String sides) {
        int[] widths = new int[sides.length()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder(256);
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append("  ").append(sides.charAt(i) == 'l' ? row.get(i) + padding : padding + row.get(i));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
