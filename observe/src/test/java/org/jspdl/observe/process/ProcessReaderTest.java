package org.jspdl.observe.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessReaderTest {
    @TempDir
    Path proc;

    @Test
    void theMachinesTimesAreReadWithWhatItsHostTook() throws Exception {
        Files.writeString(proc.resolve("stat"), "cpu  100 20 30 4000 500 6 7 80 90 0\ncpu0 1 2 3\n");

        ProcessUsage.Machine machine = ProcessReader.of(proc).read().machine();

        assertThat(Duration.ofNanos(machine.busy())).isEqualTo(Duration.ofMillis(2430));
        assertThat(Duration.ofNanos(machine.total())).isEqualTo(Duration.ofMillis(47_430));
        assertThat(Duration.ofNanos(machine.stolen())).isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void whatTheSystemDoesNotTellIsMinusOne() {
        ProcessUsage usage = ProcessReader.of(proc).read();

        assertThat(usage.machine().busy()).isEqualTo(-1);
        assertThat(usage.memory().resident()).isEqualTo(-1);
        assertThat(usage.transfer().read()).isEqualTo(-1);
        assertThat(usage.since(usage).processorsStolen()).isZero();
        assertThat(usage.since(usage).delayedShare()).isZero();
    }

    @Test
    void threadsLoseOfWhatTheHostTakesWhatTheyHaveOfTheProcessors() {
        ProcessUsage usage = new ProcessUsage(
                1_000,
                Duration.ofNanos(600),
                new ProcessUsage.Threads(500, 100, 0, 0, 100),
                new ProcessUsage.Machine(2, 1_600, 2_000, 400),
                new ProcessUsage.Garbage(0, 0, 0),
                new ProcessUsage.Memory(0, 0, 0, 0, 0, 0),
                new ProcessUsage.Transfer(0, 0, 0, 0, 0));

        assertThat(usage.processorsUsedByOthers()).isEqualTo(1.0);
        assertThat(usage.processorsStolen()).isEqualTo(0.4);
        // Half of the 1,200 that ran was theirs, so 200 of the 400 were, beside the 100 they waited.
        assertThat(usage.delayedShare()).isCloseTo(300.0 / 900, within(1e-9));
    }
}
