package org.jspdl.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFileTest {
    @TempDir
    Path folder;

    @Test
    void aFileIsOpenedThroughALink() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "abc");
        Path link = Files.createSymbolicLink(folder.resolve("b.txt"), file);

        try (FileChannel channel = InputFile.open(link)) {
            assertThat(channel.size()).isEqualTo(3);
        }
    }

    @Test
    void aFolderIsRefused() {
        assertThatThrownBy(() -> InputFile.open(folder))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(folder + ": it is a folder, not a file");
    }

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        assertThatThrownBy(() -> InputFile.open(pipe))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(pipe + ": it is no file but a pipe, a socket or a device");
    }

    @Test
    void aTextIsReadWholeOrRefused() throws Exception {
        Path file = Files.writeString(folder.resolve("a.txt"), "gr\u00f6\u00dfer");

        assertThat(InputFile.text(file, 8)).isEqualTo("gr\u00f6\u00dfer");
        assertThatThrownBy(() -> InputFile.text(file, 7))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(file + ": it has 8 bytes, and 7 at most are read");
        Files.write(file, new byte[] {'a', (byte) 0xC3});
        assertThatThrownBy(() -> InputFile.text(file, 8)).hasMessage(file + ": it is not text in UTF-8");
        Path pipe = folder.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
        assertThatThrownBy(() -> InputFile.stream(pipe).close())
                .hasMessage(pipe + ": it is no file but a pipe, a socket or a device");
        assertThatThrownBy(() -> InputFile.text(pipe, 8))
                .hasMessage(pipe + ": it is no file but a pipe, a socket or a device");
        assertThatThrownBy(() -> InputFile.text(Path.of("/dev/zero"), 8))
                .hasMessage("/dev/zero: it is no file but a pipe, a socket or a device");
    }

    @Test
    void aDanglingLinkIsNoFile() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("b.txt"), folder.resolve("a.txt"));

        assertThatThrownBy(() -> InputFile.open(link)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aMessageNamesTheFileAndTheReason() {
        assertThat(InputFile.unreadable(folder, new FileSystemException("x", null, "it is a folder, not a file")))
                .hasMessage("cannot read " + folder + ": it is a folder, not a file");
        assertThat(InputFile.unreadable(folder.resolve("a"), new NoSuchFileException("a")))
                .hasMessage("cannot read " + folder.resolve("a") + ": there is no such file");
        assertThat(InputFile.unreadable(folder, new IOException("Input/output error")))
                .hasMessage("cannot read " + folder + ": Input/output error");
    }
}
