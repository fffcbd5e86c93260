package org.jspdl.plan.text;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Prints findings the way compilers do: file, line and column, the line, and a caret under the place.
///
/// @param name  what the document is called
/// @param lines its text
record Listing(String name, List<String> lines) {
    private static final int WIDTH = 120;
    private static final int LEAD = 60;

    String of(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        findings.stream()
                .distinct()
                .sorted(Comparator.comparing(Finding::place))
                .limit(Limits.PROBLEMS)
                .forEach(finding -> append(text, finding));
        long more = findings.stream().distinct().count() - Limits.PROBLEMS;
        if (more > 0) {
            text.append(String.format(Locale.ROOT, "and %,d more%n", more));
        }
        return text.toString().stripTrailing();
    }

    private void append(StringBuilder text, Finding finding) {
        Place place = finding.place();
        text.append(name + ":" + place.line() + ":" + place.column() + ": " + finding.message())
                .append(System.lineSeparator());
        if (place.line() > lines.size()) {
            return;
        }
        int[] line =
                lines.get(place.line() - 1).codePoints().map(Listing::visible).toArray();
        int column = Math.min(place.column() - 1, line.length);
        int from = line.length <= WIDTH ? 0 : Math.max(0, Math.min(column - LEAD, line.length - WIDTH));
        String shown = new String(line, from, Math.min(WIDTH, line.length - from)).stripTrailing();
        String number = String.format(Locale.ROOT, "%5d | ", place.line());
        text.append(number).append(shown).append(System.lineSeparator());
        text.append(" ".repeat(number.length() - 2) + "| " + " ".repeat(column - from) + "^")
                .append(System.lineSeparator());
    }

    /// Each character takes one column, and none moves the cursor or colours the terminal.
    private static int visible(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.FORMAT ? ' ' : character;
    }
}
