package org.jspdl.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.jspdl.cli.terminal.Terminal;

/// Calls the program as a user does, within this process and without what the environment says.
abstract class CommandTest {
    /// How the last call ended.
    int code;

    /// What the last call printed.
    String out = "";

    /// What the last call complained of.
    String err = "";

    /// Calls `jspdl` with these words.
    final void jspdl(Object... words) {
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new PrintStream(outBytes, true, StandardCharsets.UTF_8),
                new PrintStream(errBytes, true, StandardCharsets.UTF_8),
                false);
        code = Main.execute(Stream.of(words).map(Object::toString).toList(), terminal, Map.of());
        out = outBytes.toString(StandardCharsets.UTF_8);
        err = errBytes.toString(StandardCharsets.UTF_8);
    }
}
