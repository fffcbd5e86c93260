package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs that know nothing of watches.
class ProfilingSwitchTest {
    private static final Pipeline<Long> PROGRAM = Pipeline.from(Sources.range(100))
            .pipe("work", item -> item + 1, StageOptions.io(2))
            .named("their/loader");

    @TempDir
    Path folder;

    @AfterEach
    void switchOff() {
        System.clearProperty("jspdl.profile");
    }

    private static void consume(RunOptions options) {
        try (Run<Long> run = PROGRAM.start(options)) {
            assertThat(run).hasSize(100);
        }
    }

    private List<String> written() throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void eachRunWritesAReportWhereThePropertySays() throws Exception {
        System.setProperty("jspdl.profile", folder.toString());

        consume(RunOptions.defaults());
        consume(RunOptions.defaults());

        String name = "their_loader-" + ProcessHandle.current().pid() + "-";
        assertThat(written()).containsExactly(name + "1.html", name + "2.html");
        assertThat(folder.resolve(name + "1.html")).content().contains("their/loader", "work");
    }

    @Test
    void aRunThatIsWatchedAnywayIsLeftAlone() throws Exception {
        System.setProperty("jspdl.profile", folder.toString());
        Watch watch = Watch.create();

        consume(watch.on(RunOptions.defaults()));

        assertThat(written()).isEmpty();
        assertThat(watch.report().pipeline()).isEqualTo("their/loader");
    }

    @Test
    void withoutThePropertyNothingIsWritten() throws Exception {
        consume(RunOptions.defaults());

        assertThat(written()).isEmpty();
    }
}
