package org.jspdl.plan.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Prints errors the way compilers do: file, line and column, the line, and a caret under the location.
///
/// @param name  what the document is called
/// @param lines its text
public record DiagnosticPrinter(String name, List<String> lines) {
    private static final int WIDTH = 120;
    private static final int LEAD = 60;

    /// The message for `errors`, in the order of the text.
    public String print(List<PlanError> errors) {
        StringBuilder text = new StringBuilder();
        errors.stream()
                .distinct()
                .sorted(Comparator.comparing(PlanError::location))
                .limit(DocumentLimits.ERRORS)
                .forEach(error -> append(text, error));
        long more = errors.stream().distinct().count() - DocumentLimits.ERRORS;
        if (more > 0) {
            text.append(String.format(Locale.ROOT, "and %,d more%n", more));
        }
        return text.toString().stripTrailing();
    }

    private void append(StringBuilder text, PlanError error) {
        SourceLocation location = error.location();
        text.append(name + ":" + location.line() + ":" + location.column() + ": " + error.message())
                .append(System.lineSeparator());
        if (location.line() > lines.size()) {
            return;
        }
        int[] line = AddressMask.of(lines.get(location.line() - 1))
                .codePoints()
                .map(DiagnosticPrinter::visible)
                .toArray();
        int column = Math.min(location.column() - 1, line.length);
        int from = line.length <= WIDTH ? 0 : Math.max(0, Math.min(column - LEAD, line.length - WIDTH));
        String shown = new String(line, from, Math.min(WIDTH, line.length - from)).stripTrailing();
        String number = String.format(Locale.ROOT, "%5d | ", location.line());
        text.append(number).append(shown).append(System.lineSeparator());
        text.append(" ".repeat(number.length() - 2) + "| " + " ".repeat(column - from) + "^")
                .append(System.lineSeparator());
    }

    /// Each character takes one column, and none moves the cursor or colors the terminal.
    private static int visible(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.FORMAT ? ' ' : character;
    }
}
