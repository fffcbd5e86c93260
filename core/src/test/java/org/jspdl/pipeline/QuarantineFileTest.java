package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A plan of somebody else's may name the file for skipped items: nothing else is ever written to.
class QuarantineFileTest {
    @TempDir
    private Path folder;

    private static void skipOne(Path file) throws IOException {
        try (QuarantineFile quarantine = QuarantineFile.open(file);
                Run<Long> run = Pipeline.from(Sources.range(3))
                        .<Long>pipe(
                                "check",
                                item -> {
                                    if (item == 1) {
                                        throw new IllegalStateException("bad");
                                    }
                                    return item;
                                },
                                StageOptions.cpu(1)
                                        .failures(FailurePolicy.skip(1).quarantine(quarantine)))
                        .start()) {
            run.forEach(item -> {});
        }
    }

    @Test
    void itemsOfLaterRunsAreAppended() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        skipOne(file);
        skipOne(file);

        assertThat(QuarantineFile.read(file)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"export PATH=/bin\n", "{}\n", "\n", "{\"stage\":\"x\"", "#!/bin/sh"})
    void aFileOfSomethingElseIsLeftAsItIs(String content) throws IOException {
        Path profile = Files.writeString(folder.resolve(".profile"), content);

        assertThatThrownBy(() -> QuarantineFile.open(profile))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(profile.toString())
                .hasMessageContaining("something else than skipped items");
        assertThat(profile).hasContent(content);
    }

    @Test
    void linksAndFoldersAreNotWrittenTo() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        skipOne(file);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nothing"));

        for (Path each : new Path[] {link, dangling, folder}) {
            assertThatThrownBy(() -> QuarantineFile.open(each))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("is a link or no file");
        }
        assertThat(folder.resolve("nothing")).doesNotExist();
    }
}
