package org.jspdl.cli.terminal;

import java.io.PrintStream;

/// Where the program writes, and who reads it.
///
/// @param out        for results
/// @param err        for progress and errors
/// @param liveErrors whether a person watches `err` on a terminal, so that a line may be written over
public record Terminal(PrintStream out, PrintStream err, boolean liveErrors) {
    /// Nothing that is printed controls a terminal, except by [#control].
    public Terminal {
        out = PrintableStream.of(out);
        err = PrintableStream.of(err);
    }

    /// Sends a sequence that controls the terminal behind `err`.
    public void control(String sequence) {
        PrintableStream.of(err).control(sequence);
    }

    /// The process's own streams.
    ///
    /// The launcher knows whether standard error is a terminal; asking the JDK would load a console implementation.
    public static Terminal system() {
        return new Terminal(System.out, System.err, Boolean.getBoolean("jspdl.terminal"));
    }
}
