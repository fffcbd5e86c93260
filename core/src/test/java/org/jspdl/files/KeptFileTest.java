package org.jspdl.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptFileTest {
    @TempDir
    Path folder;

    private static FileChannel open(Path file) throws IOException {
        return KeptFile.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    @Test
    void aFileIsMadeAndThenGoneOnWithThroughALinkToo() throws IOException {
        Path file = folder.resolve("a.txt");
        Path link = Files.createSymbolicLink(folder.resolve("b.txt"), file);

        for (Path each : new Path[] {file, link}) {
            try (FileChannel channel = open(each)) {
                assertThat(channel.write(ByteBuffer.wrap(new byte[] {'a'}))).isOne();
            }
        }

        assertThat(file).hasContent("aa");
    }

    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Path pipe = folder.resolve("pipe");
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();

        assertThatThrownBy(() -> open(pipe))
                .isInstanceOf(FileSystemException.class)
                .hasMessage(pipe + ": it is no file but a pipe or a socket");
    }

    @Test
    void aFolderAndASocketAreRefused() throws IOException {
        Path socket = folder.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            assertThat(server.bind(UnixDomainSocketAddress.of(socket)).isOpen()).isTrue();

            assertThatThrownBy(() -> open(socket)).hasMessage(socket + ": it is no file but a pipe or a socket");
            assertThatThrownBy(() -> open(folder)).hasMessage(folder + ": it is a folder, not a file");
        }
    }

    @Test
    void aDeviceSaysItselfWhatItTakes() throws IOException {
        try (FileChannel full = open(Path.of("/dev/full"))) {
            assertThatThrownBy(() -> full.write(ByteBuffer.allocate(1))).hasMessage("No space left on device");
        }
    }
}
