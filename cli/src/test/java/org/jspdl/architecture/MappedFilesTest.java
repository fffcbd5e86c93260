package org.jspdl.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Files that other programs may truncate are mapped in one place, which tells such an end from content.
class MappedFilesTest {
    @Test
    void filesOfOthersAreMappedByMappedInputAlone() throws IOException {
        try (Stream<Path> files = Files.find(
                PackageArrowsTest.ROOT,
                20,
                (file, _) ->
                        file.toString().endsWith(".java") && file.toString().contains("/src/main/java/"))) {
            assertThat(files.filter(MappedFilesTest::maps).map(file -> String.valueOf(file.getFileName())))
                    .containsExactlyInAnyOrder(
                            "MappedInput.java",
                            // notes of our own, of a fixed size, read under a lock
                            "InFlight.java",
                            // what was gathered by this process, in a file that it made and
                            // holds open
                            "OpenShard.java");
        }
    }

    private static boolean maps(Path file) {
        try {
            return Files.readString(file).contains("MapMode.READ_ONLY");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
