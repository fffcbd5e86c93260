package org.jspdl.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.top.TopScreen.Seen;
import org.jspdl.cli.top.TopScreen.Sort;
import org.jspdl.observe.live.Live;
import org.jspdl.observe.live.LiveRuns;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TopControlsTest {
    @TempDir
    Path folder;

    private final String name = "controlled " + System.nanoTime();
    private final Pipeline<Long> pipeline =
            Pipeline.from(Sources.range(10)).pipe("work", item -> item, cpu(1)).named(name);

    /// Waits until the run can be looked at.
    private List<Seen> seen(LiveRuns runs) throws Exception {
        while (true) {
            List<Seen> seen = runs.look().stream()
                    .filter(look -> look.pipeline().equals(name))
                    .map(look -> new Seen(look, Optional.empty()))
                    .toList();
            if (!seen.isEmpty()) {
                return seen;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void keysChangeTheWorkersOfTheSelectedStageAndWriteReports() throws Exception {
        LiveRuns runs = LiveRuns.ofThisUser();
        TopControls controls = new TopControls(runs, folder);
        try (Run<Long> run =
                pipeline.start(Live.controllable().report(() -> "a page").listening(RunOptions.defaults()))) {
            List<Seen> seen = seen(runs);
            assertThat(controls.footer(seen)).contains("+/- workers");

            controls.press('j', seen);
            controls.press('j', seen);
            controls.press('+', seen);
            controls.press('+', seen);
            assertThat(controls.footer(seen)).isEqualTo("changed: concurrency of 'work' from 2 to 3");
            controls.press('-', seen);
            assertThat(run.stats().stages().getLast().concurrency()).isEqualTo(2);

            controls.press('w', seen);
            assertThat(controls.footer(seen)).startsWith("wrote " + folder);
            assertThat(folder).isDirectoryContaining(file -> file.toString().endsWith("s.html"));

            controls.press('k', seen);
            controls.press('+', seen);
            assertThat(controls.footer(seen)).contains("source");
            assertThat(controls.press('q', seen)).isFalse();
        }
    }

    @Test
    void aRunWithoutControlIsNotChanged() throws Exception {
        LiveRuns runs = LiveRuns.ofThisUser();
        TopControls controls = new TopControls(runs, folder);
        try (Run<Long> run = pipeline.start(Live.on(RunOptions.defaults()))) {
            List<Seen> seen = seen(runs);
            assertThat(controls.footer(seen)).doesNotContain("+/- workers");

            controls.press('+', seen);

            assertThat(controls.footer(seen)).contains("--control");
            controls.press('w', seen);
            assertThat(controls.footer(seen)).contains("no run here has a report");
            assertThat(run.stats().changes()).isEmpty();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theOrderChangesByAKey() throws Exception {
        TopControls controls = new TopControls(LiveRuns.ofThisUser(), folder);

        controls.press('s', List.of());

        assertThat(controls.screen(80, false).sort()).isEqualTo(Sort.BUSY);
    }
}
