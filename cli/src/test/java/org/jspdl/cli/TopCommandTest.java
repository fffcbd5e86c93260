package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;

import org.jspdl.observe.live.Live;
import org.jspdl.observe.live.LiveLook;
import org.jspdl.observe.live.LiveRuns;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TopCommandTest extends CommandTest {
    @Test
    void aRunOfThisProcessIsShown() throws Exception {
        String name = "shown " + System.nanoTime();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(100))
                .pipe("work", item -> item, cpu(1))
                .named(name);
        long pid = ProcessHandle.current().pid();
        try (Run<Long> run = pipeline.start(Live.on(RunOptions.defaults()))) {
            for (Long _ : run) {}
            while (LiveRuns.ofThisUser().look().stream().map(LiveLook::pipeline).noneMatch(name::equals)) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                Thread.onSpinWait();
            }

            jspdl("top", Long.toString(pid), "--once", "--interval", "10ms", "--columns", "100");

            assertThat(code).isZero();
            assertThat(out)
                    .contains("pid " + pid + " '" + name + "'")
                    .contains("work")
                    .contains("consumer starved");
            assertThat(run.stats().delivered()).isEqualTo(100);
        }
    }

    @Test
    void aProcessThatIsNotThereIsAFailure() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();

        jspdl("top", Long.toString(ended.pid()), "--once");

        assertThat(code).isEqualTo(1);
        assertThat(out).isEmpty();
        assertThat(err).isEqualTo("jspdl: there is no process " + ended.pid() + "\n");
    }

    @Test
    void aProcessWithoutRunsIsAFailure() throws Exception {
        Process idle = new ProcessBuilder("cat").start();
        try {
            jspdl("top", Long.toString(idle.pid()), "--once");

            assertThat(code).isEqualTo(1);
            assertThat(out).isEmpty();
            assertThat(err).startsWith("jspdl: process " + idle.pid() + " has no run to look at.");
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    @Test
    void thePageListensWhereItIsToldAndShowsAllRuns() {
        jspdl("top", "--listen", "8080");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("--web");

        jspdl("top", "--web", "--listen", "127.0.0.1:port");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("'127.0.0.1:port'");

        jspdl("top", "--web", "4711");
        assertThat(code).isEqualTo(2);
        assertThat(err).contains("leave out PID");
    }

    @Test
    void whatIsNoProcessIsRefused() {
        jspdl("top", "java");

        assertThat(code).isEqualTo(2);
        assertThat(err).contains("PID must be the number of a process but was 'java'");
    }
}
