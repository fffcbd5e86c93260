package org.jspdl.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    /// A line that wraps is written over in its last row alone, and leaves copies of the others behind.
    @Test
    void aTerminalThatIsTooNarrowCutsTheLineOffInsteadOfWrappingIt() {
        PrintStream errors = new PrintStream(written, true, StandardCharsets.UTF_8);
        ProgressLine line = ProgressLine.of(new Terminal(errors, errors, true), "Loading", 1_000_000);

        for (int done = 1; written.size() == 0; done++) {
            line.report(done); // prints nothing until a tenth of a second is over
        }

        assertThat(written.toString(StandardCharsets.UTF_8))
                .startsWith("\r\u001b[K\u001b[?7lLoading ")
                .endsWith("\u001b[?7h")
                .doesNotContain("\n");
    }

    @Test
    void epochsWithoutEndHaveNoTotal() {
        assertThat(ProgressLine.total(30, 4)).isEqualTo(120);
        assertThat(ProgressLine.total(-1, 4)).isZero();
        assertThat(ProgressLine.total(2_000, Long.MAX_VALUE)).isZero();

        PrintStream errors = new PrintStream(written, true, StandardCharsets.UTF_8);
        ProgressLine line = ProgressLine.of(
                new Terminal(errors, errors, true), "Loading", ProgressLine.total(2_000, Long.MAX_VALUE));
        for (int done = 1; written.size() == 0; done++) {
            line.report(done);
        }
        assertThat(written.toString(StandardCharsets.UTF_8))
                .contains(" images/s")
                .doesNotContain("/0", "left");
    }
}
