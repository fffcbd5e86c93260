package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GrowingFolderTest {
    @TempDir
    Path folder;

    private void add(String... names) throws IOException {
        for (String name : names) {
            Files.createFile(folder.resolve(name));
        }
    }

    private Pipeline<String> names() {
        return Pipeline.from(Sources.growing(folder, "*.tar", "DONE"))
                .map(file -> file.getFileName().toString());
    }

    @Test
    void filesThatComeLaterAreDeliveredUntilTheEndIsThere() throws IOException {
        add("002.tar", "001.tar", "003.tar.part");
        try (Run<String> run = names().start()) {
            Iterator<String> files = run.iterator();
            assertThat(List.of(files.next(), files.next())).containsExactly("001.tar", "002.tar");

            add("003.tar");
            assertThat(files.next()).isEqualTo("003.tar");

            add("004.tar", "DONE");
            assertThat(files.next()).isEqualTo("004.tar");
            assertThat(files.hasNext()).isFalse();
        }
    }

    @Test
    void aResumedRunGoesOnBehindWhatWasDeliveredEvenIfThatIsGone() throws IOException {
        add("001.tar", "002.tar", "003.tar");
        Checkpoint checkpoint;
        try (Run<String> run = names().start()) {
            run.iterator().next();
            run.iterator().next();
            checkpoint = run.checkpoint();
        }
        Files.delete(folder.resolve("001.tar"));
        add("004.tar", "DONE");

        List<String> left = new ArrayList<>();
        try (Run<String> run = names().start(RunOptions.defaults().resumeFrom(checkpoint))) {
            run.forEach(left::add);
        }
        assertThat(left).containsExactly("003.tar", "004.tar");
    }

    @Test
    void aFileThatComesTooLateIsAnErrorAndNotLost() throws IOException {
        add("002.tar");
        try (Run<String> run = names().start()) {
            run.iterator().next();
            add("001.tar", "DONE");
            assertThatThrownBy(() -> run.iterator().hasNext())
                    .isInstanceOf(PipelineException.class)
                    .hasMessageContaining("comes before '002.tar'");
        }
    }

    @Test
    void waitingForFilesEndsWithTheRun() throws IOException {
        add("001.tar");
        Run<String> run = names().start();
        run.iterator().next();

        run.close();

        assertThatThrownBy(() -> run.iterator().hasNext()).isInstanceOf(IllegalStateException.class);
    }
}
