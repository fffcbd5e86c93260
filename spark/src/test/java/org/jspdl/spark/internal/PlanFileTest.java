package org.jspdl.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
    @TempDir
    Path folder;

    @Test
    void aPlanIsReadFromItsFileAndItsPathsBeginThere() throws Exception {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "source: {range: {to: 3}}");

        assertThat(PlanFile.read(plan))
                .isEqualTo(new PlanFile(plan.toString(), "source: {range: {to: 3}}", Optional.of(folder)));
    }

    @Test
    void aPipeAndAFolderAreNamedForWhatTheyAre() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        for (Path each : new Path[] {pipe, folder}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PlanFile.read(each))
                    .withMessageStartingWith("the plan " + each + " is no file but a folder, a pipe");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlanFile.read(folder.resolve("none")))
                .withMessage("there is no plan at " + folder.resolve("none"));
    }
}
