package org.jspdl.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshFileTest {
    @TempDir
    private Path folder;

    @Test
    void aPlantedLinkIsRemovedAndNotWrittenThrough() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve("list.txt.part"), victim);

        FreshFile.write(folder.resolve("list.txt"), "new");

        assertThat(victim).hasContent("precious");
        assertThat(folder.resolve("list.txt")).hasContent("new").isRegularFile();
    }

    @Test
    void aLinkThatLeadsNowhereMakesNoFileThere() throws IOException {
        Path nowhere = folder.resolve("nowhere");
        Files.createSymbolicLink(folder.resolve("list.txt.part"), nowhere);

        FreshFile.write(folder.resolve("list.txt"), "new");

        assertThat(Files.exists(nowhere, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void nothingIsLeftOfAFileThatCannotBeWritten() throws IOException {
        Path place = folder.resolve("list.txt");
        Files.createDirectories(place.resolve("full"));

        assertThatThrownBy(() -> FreshFile.write(place, "new"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("list.txt");

        assertThat(folder.resolve("list.txt.part")).doesNotExist();
        assertThat(place).isDirectoryContaining("glob:**full");
    }

    @Test
    void aFailureThatNamesNoFileIsNamed() {
        assertThat(FreshFile.named(Path.of("a/list.txt"), new IOException("No space left on device")))
                .hasMessage("a/list.txt: No space left on device");
    }

    @Test
    void whatAnEarlierRunLeftIsReplaced() throws IOException {
        Files.writeString(folder.resolve("list.txt.part"), "half of a longer text");

        Path part = FreshFile.beside(folder.resolve("list.txt"));

        assertThat(part).isEqualTo(folder.resolve("list.txt.part")).isEmptyFile();
    }

    @Test
    void aLinkInPlaceOfTheFileItselfIsReplacedToo() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Files.createSymbolicLink(folder.resolve("list.txt"), victim);

        FreshFile.write(folder.resolve("list.txt"), "new");

        assertThat(victim).hasContent("precious");
        assertThat(folder.resolve("list.txt")).hasContent("new");
    }
}
