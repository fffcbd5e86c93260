package org.jspdl.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Names and messages come from files, archives and servers; a terminal obeys what it is sent.
class TerminalTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(sent, true, StandardCharsets.UTF_8);
    private final Terminal terminal = new Terminal(stream, stream, true);

    private String sent() {
        return sent.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b]0;title\u0007",
                "\u001b[2J\u001b[H",
                "\u001b]52;c;Y3VybCBldmlsfHNo\u0007",
                "\u009b31m",
                "\rjspdl: all is well",
                "\b\b\b\u007f",
                "\u0000",
                "\u202egpj.exe",
                "\u2028"
            })
    void whatControlsATerminalIsShown(String hostile) {
        terminal.out().println("file " + hostile + ".jpg");
        terminal.err().print(hostile);
        terminal.err().printf("%s and %s%n", hostile, 1);
        terminal.err().println((Object) hostile);
        terminal.out().append(hostile).println();
        new IllegalStateException(hostile).printStackTrace(terminal.err());

        assertThat(sent()).doesNotContain(hostile).doesNotContainPattern("[\\p{Cntrl}&&[^\n\t]]");
        assertThat(sent()).contains("\\u");
    }

    @Test
    void textIsSentAsItIs() {
        String text = "Größe: 日本語 🙂\n\tnext line";
        terminal.out().println(text);
        terminal.out().write('x');
        terminal.out().flush();
        assertThat(sent()).isEqualTo(text + System.lineSeparator() + "x");
    }

    @Test
    void theProgramItselfControlsTheTerminal() {
        terminal.err().print("a");
        terminal.control("\r\u001b[K");
        terminal.err().print("b");
        assertThat(sent()).isEqualTo("a\r\u001b[Kb");
    }
}
