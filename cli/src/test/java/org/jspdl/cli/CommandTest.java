package org.jspdl.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspdl.cli.terminal.Terminal;

/// What tests of the program have in common: a call of it within this process, what it printed and how it ended.
abstract class CommandTest {
    int code;
    String out = "";
    String err = "";

    final void jspdl(String... words) {
        jspdl(List.of(words));
    }

    /// Calls the program with a standard output that takes `bytes` bytes, as a disk that is nearly full.
    final void jspdlOntoAFullDisk(int bytes, String... words) {
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            private int left = bytes;

            @Override
            public void write(int b) throws IOException {
                if (left-- <= 0) {
                    throw new IOException("No space left on device");
                }
            }
        };
        PrintStream errors = new PrintStream(errBytes, true, StandardCharsets.UTF_8);
        code = Main.execute(
                List.of(words),
                new Terminal(new PrintStream(full, false, StandardCharsets.UTF_8), errors, false),
                Map.of());
        err = errBytes.toString(StandardCharsets.UTF_8);
    }

    /// Calls the program with the texts of `words`.
    final void jspdl(List<?> words) {
        jspdl(Map.of(), words);
    }

    /// The same in another environment.
    final void jspdl(Map<String, String> environment, List<?> words) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(outBytes, true, StandardCharsets.UTF_8),
                new PrintStream(errBytes, true, StandardCharsets.UTF_8),
                false);
        code = Main.execute(words.stream().map(Object::toString).toList(), terminal, environment);
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
    }
}
