package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Files that users name are opened in one place, which does not wait for named pipes forever.
class OpenedFilesTest {
    private static final Pattern OPENS =
            Pattern.compile("Files\\.(newInputStream|newBufferedReader|readString|readAllLines|readAllBytes|lines)\\(");
    /// Parts that no user's file comes to.
    private static final Set<String> OTHERS =
            Set.of("benchmarks", "examples", "format", "leakcheck", "skipped", "testkit");

    @Test
    void filesOfUsersAreOpenedByInputFileAlone() throws IOException {
        try (Stream<Path> files = Files.find(
                PackageArrowsTest.ROOT,
                20,
                (file, _) ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/main/java/"))) {
            assertThat(files.filter(file -> !OTHERS.contains(PackageArrowsTest.ROOT
                                    .relativize(file)
                                    .getName(0)
                                    .toString()))
                            .filter(OpenedFilesTest::opens)
                            .map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "InputFile.java",
                            // what the system tells in files
                            "EnergyReader.java",
                            "EnvironmentSections.java",
                            "GivenWords.java",
                            "OnnxEnvironment.java",
                            "ProcessFigures.java",
                            "ProcessGroupReader.java",
                            "ProcessReader.java",
                            "Processor.java",
                            "SmallFile.java",
                            "ThreadTimes.java",
                            "TurboJpeg.java",
                            "UnpackedLibraries.java",
                            // files of our own
                            "DataLoaderRun.java",
                            "KnownSizes.java",
                            "LibraryFile.java",
                            "Providers.java",
                            "SampleFolder.java",
                            "ServeJob.java",
                            "Suspects.java",
                            // looked at before: they are regular files
                            "Addresses.java",
                            "CostPass.java",
                            "Folder.java",
                            "NumberFile.java",
                            "QuarantineFile.java",
                            "SkipList.java",
                            "WeightFile.java",
                            // an example in its documentation
                            "IterableDataset.java");
        }
    }

    private static boolean opens(Path file) {
        try {
            return OPENS.matcher(Files.readString(file)).find();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
