package org.jspdl.cli.terminal;

import java.io.PrintStream;
import java.util.stream.Collectors;
import org.jspdl.data.storage.Printable;

/// A stream for text that may hold names and messages from elsewhere: what would control a terminal is shown instead.
/// Line feeds and tabs pass.
final class PrintableStream extends PrintStream {
    private final PrintStream target;

    private PrintableStream(PrintStream target) {
        super(target, false, target.charset());
        this.target = target;
    }

    static PrintableStream of(PrintStream target) {
        return target instanceof PrintableStream already ? already : new PrintableStream(target);
    }

    @Override
    public void print(String text) {
        super.print(isPlain(text) ? text : shown(text));
        flush();
    }

    /// Sends `sequence` as it is, which is the program's own.
    void control(String sequence) {
        flush();
        target.print(sequence);
        target.flush();
    }

    /// A loop, because this is done for all that is printed, and streams take a while to be compiled.
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && c != '\t' && (Printable.isHidden(c) || Character.isSurrogate(c))) {
                return false;
            }
        }
        return true;
    }

    private static String shown(String text) {
        return text.codePoints()
                .mapToObj(c -> c == '\n' || c == '\t' ? Character.toString(c) : Printable.of(Character.toString(c)))
                .collect(Collectors.joining());
    }
}
