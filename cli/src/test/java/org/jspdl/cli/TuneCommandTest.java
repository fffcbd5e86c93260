package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.tune.Trials;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneCommandTest extends CommandTest {
    private static final int IMAGES = 40;

    @TempDir
    Path folder;

    @Test
    void aBudgetHasCoresOrMemoryOrBoth() throws Exception {
        Trials.Budget both = TuneCommand.budget(Optional.of("4cores,2GB"));
        assertThat(both.cores()).hasValue(4);
        assertThat(both.memoryBytes()).hasValue(2L << 30);
        assertThat(TuneCommand.budget(Optional.of("1 core")).cores()).hasValue(1);
        assertThat(TuneCommand.budget(Optional.of("500M")).memoryBytes()).hasValue(500L << 20);
        assertThat(TuneCommand.budget(Optional.empty())).isEqualTo(TuneCommand.budget(Optional.empty()));
        for (String wrong : List.of("0cores", "4cores,5cores", "1GB,2GB", "much", "", "4cores,", "99999999999999G")) {
            assertThatThrownBy(() -> TuneCommand.budget(Optional.of(wrong)))
                    .as(wrong)
                    .isInstanceOf(UsageException.class)
                    .hasMessageStartingWith("--budget must be ");
        }
    }

    @Test
    void aRunTakesTheSameBudget() throws Exception {
        Path dataset = folder.resolve("few");
        new SampleSet(8, 1).write(dataset, 2, written -> {});

        jspdl(List.of("run", dataset, "--budget", "1core,4GB", "--size", "32", "--no-progress", "--explain"));
        assertThat(code).as(err).isZero();
        assertThat(out).contains("Stages on cpu share 1 compute thread.");

        jspdl(List.of("run", dataset, "--budget", "much"));
        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).contains("--budget must be cores, memory or both");
    }

    @Test
    void optionsThatCannotBeAreRefusedBeforeAnythingIsTried() throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "source: {images: {path: nowhere}}\n");

        jspdl(List.of("tune", plan, "--out", folder.resolve("nowhere/best.yaml")));
        assertThat(err).contains("--out cannot be written to");
        jspdl(List.of("tune", plan, "--out", folder.resolve("best.json")));
        assertThat(err).contains("--out must end as the plan does, with .yaml");
        jspdl(List.of("tune", plan, "--minutes", "0"));
        assertThat(err).contains("--minutes must be a number above 0");
        jspdl(List.of("tune", plan, "--epochs", "2"));
        assertThat(err).contains("--epochs cannot be given with a plan");
        jspdl(List.of("tune", plan));
        assertThat(code).isEqualTo(Main.UNUSABLE);
        assertThat(err).contains("there is no folder or file list at");
        assertThat(out).isEmpty();
    }

    @Test
    @Tag("slow")
    void theBestPlanIsWrittenAndDeliversWhatTheFirstDid() throws Exception {
        Path dataset = folder.resolve("photos");
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});
        Path plan = Files.writeString(folder.resolve("plan.yaml"), """
                # ours
                source: {files: {path: photos, glob: '**/*.jpg'}}
                steps:
                  - {load-image: {size: 32, resize: 36}, cpu: 1}   # decodes
                  - batch: 8
                  - collate: {}
                """);

        jspdl(List.of("tune", plan, "--budget", "2cores,4GB", "--minutes", "0.2"));

        assertThat(code).as(out + err).isZero();
        Path best = folder.resolve("plan.tuned.yaml");
        assertThat(out).contains("items/s", "warm-up", "load-image 1, buffer ", "Written to " + best);
        assertThat(best).content().contains("# ours", "compute-threads: 2", "# decodes");

        jspdl(List.of("run", best, "--no-progress"));
        assertThat(code).isZero();
        assertThat(out).contains(IMAGES + " items in 5 batches");

        Path ofFolder = folder.resolve("photos.yaml");
        jspdl(List.of("tune", dataset, "--size", "32", "--batch-size", "8", "--minutes", "0.1", "--out", ofFolder));
        assertThat(code).as(out + err).isZero();
        jspdl(List.of("run", dataset, "--size", "32", "--batch-size", "8", "--no-progress", "--json", "-"));
        String checksum = out.replaceAll("(?s).*\"checksum\": \"(\\w+)\".*", "$1");
        jspdl(List.of("run", ofFolder, "--no-progress", "--json", "-"));
        assertThat(out).contains("\"checksum\": \"" + checksum + "\"");
    }

    @Test
    @Tag("slow")
    void aBudgetThatNothingFitsIsSaidAndNothingIsWritten() throws Exception {
        Path dataset = folder.resolve("photos");
        new SampleSet(IMAGES, 1).write(dataset, 2, written -> {});

        jspdl(List.of(
                "tune",
                dataset,
                "--size",
                "32",
                "--budget",
                "32M", // less than the program itself takes
                "--minutes",
                "0.1",
                "--out",
                folder.resolve("best.yaml")));

        assertThat(code).isEqualTo(Main.FAILED);
        assertThat(out).contains("too much memory", "No setting stayed within the budget");
        assertThat(folder.resolve("best.yaml")).doesNotExist();
    }
}
