package org.jspdl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.jspdl.data.sample.SampleSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumeOnOtherRanksTest {
    @TempDir
    Path folder;

    @Test
    void threeRanksLoadWhatTwoHadLeft() throws Exception {
        new SampleSet(30, 1).write(folder, 2, _ -> {});

        assertThat(Printed.by(() -> ResumeOnOtherRanks.main(new String[] {folder.toString()}))
                        .lines())
                .containsExactly("2 ranks loaded 12 images", "3 ranks went on: 30 images in all, 30 of them different");
    }
}
