package org.jspdl.json;

import java.io.Serial;

/// A text is not the JSON that was expected. The message names the line, the column and what was found.
public final class JsonException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int offset;
    private final int line;
    private final int column;
    private final String problem;

    JsonException(String text, int offset, String problem) {
        this(offset, line(text, offset), offset - text.lastIndexOf('\n', offset - 1), problem);
    }

    private JsonException(int offset, int line, int column, String problem) {
        super("invalid JSON at line " + line + ", column " + column + ": " + problem);
        this.offset = offset;
        this.line = line;
        this.column = column;
        this.problem = problem;
    }

    private static int line(String text, int offset) {
        int line = 1;
        for (int i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
            line++;
        }
        return line;
    }

    /// Offset of the problem in the text, in `char`s from 0.
    public int offset() {
        return offset;
    }

    /// Line of the problem, from 1.
    public int line() {
        return line;
    }

    /// Column of the problem in its line, in `char`s from 1.
    public int column() {
        return column;
    }

    /// The message without the location.
    public String problem() {
        return problem;
    }
}
