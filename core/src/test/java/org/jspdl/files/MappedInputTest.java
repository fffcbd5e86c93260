package org.jspdl.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspdl.memory.SegmentBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedInputTest {
    private static final int BYTES = 1 << 18;
    /// In the middle of a page.
    private static final int LEFT = 10_000;

    @TempDir
    Path folder;

    private Path file() throws IOException {
        byte[] ones = new byte[BYTES];
        Arrays.fill(ones, (byte) 1);
        return Files.write(folder.resolve("a.bin"), ones);
    }

    private static void shorten(Path file, long left) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(left);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static long sum(MemorySegment bytes) {
        long sum = 0;
        for (long i = 0; i < bytes.byteSize(); i++) {
            sum += bytes.get(ValueLayout.JAVA_BYTE, i);
        }
        return sum;
    }

    private static String message(Path file) {
        return "cannot read " + file + ": it became shorter while it was read: 10,000 of 262,144 bytes are left";
    }

    @Test
    void whatIsThereIsRead() throws IOException {
        try (MappedInput input = MappedInput.open(file())) {
            assertThat(input.read(() -> sum(input.bytes()))).isEqualTo(BYTES);
        }
    }

    @Test
    void aFileThatBecomesShorterIsNamed() throws IOException {
        Path file = file();
        try (MappedInput input = MappedInput.open(file)) {
            shorten(file, LEFT);

            assertThatThrownBy(() -> input.read(() -> sum(input.bytes())))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage(message(file));
        }
    }

    @Test
    void zerosOfThePageThatWasCutAreNotTakenForContent() throws IOException {
        Path file = file();
        try (MappedInput input = MappedInput.open(file)) {
            assertThatThrownBy(() -> input.read(() -> {
                        shorten(file, LEFT);
                        return input.bytes().get(ValueLayout.JAVA_BYTE, LEFT + 1);
                    }))
                    .hasMessage(message(file));
        }
    }

    @Test
    void whatReadingFailsWithIsOfNoUseThen() throws IOException {
        Path file = file();
        try (MappedInput input = MappedInput.open(file)) {
            assertThatThrownBy(() -> input.read(() -> {
                        throw new IllegalStateException("not of this file");
                    }))
                    .isInstanceOf(IllegalStateException.class);

            shorten(file, LEFT);

            assertThatThrownBy(() -> input.read(() -> {
                        throw new IllegalStateException("zeros where there should be none");
                    }))
                    .hasMessage(message(file));
        }
    }

    @Test
    void compiledCodeDoesNotGetAwayWithIt() throws IOException {
        Path file = file();
        for (int i = 0; i < 300; i++) {
            shorten(file, BYTES);
            try (MappedInput input = MappedInput.open(file)) {
                long at = LEFT + 4096L * (1 + i % 60);
                if (i % 2 == 0) {
                    shorten(file, LEFT);
                }
                boolean[] told = new boolean[1];
                try {
                    input.read(() -> input.bytes().get(ValueLayout.JAVA_BYTE, at));
                } catch (UncheckedIOException shorter) {
                    told[0] = true;
                }
                assertThat(told[0]).as("read %d", i).isEqualTo(i % 2 == 0);
            }
        }
    }

    @Test
    void anInterruptedThreadReadsOn() throws IOException {
        Path file = file();
        try (MappedInput input = MappedInput.open(file)) {
            Thread.currentThread().interrupt();
            try {
                assertThat(input.read(() -> sum(input.bytes()))).isEqualTo(BYTES);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            shorten(file, LEFT);
            assertThatThrownBy(input::requireWhole).hasMessage(message(file));
        }
    }

    @Test
    void aFileThatGrowsIsReadAsItWas() throws IOException {
        Path file = file();
        try (MappedInput input = MappedInput.open(file)) {
            shorten(file, 2L * BYTES);

            assertThat(input.read(() -> sum(input.bytes()))).isEqualTo(BYTES);
        }
    }

    @Test
    void memoryThatSomebodyElseMappedIsCopiedOrAnError() throws IOException {
        Path file = file();
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file)) {
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES, arena);
            MemorySegment copy = arena.allocate(BYTES);
            MappedInput.copy(mapped, copy);
            assertThat(sum(copy)).isEqualTo(BYTES);

            shorten(file, LEFT);

            assertThatThrownBy(() -> MappedInput.copy(mapped, copy))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot read a mapped file: it became shorter while it was read");
        }
    }

    @Test
    void aChecksumOfAMappedFileIsTheSameAndDoesNotEndTheProcess() throws IOException {
        Path file = file();
        byte[] content = Files.readAllBytes(file);
        try (MappedInput input = MappedInput.open(file)) {
            CRC32C whole = new CRC32C();
            whole.update(content);
            CRC32C mapped = new CRC32C();
            SegmentBuffers.update(mapped, input.bytes());
            assertThat(mapped.getValue()).isEqualTo(whole.getValue());

            shorten(file, LEFT);

            assertThatThrownBy(() -> input.read(() -> {
                        CRC32 checksum = new CRC32();
                        SegmentBuffers.update(checksum, input.bytes());
                        return checksum.getValue();
                    }))
                    .hasMessage(message(file));
        }
    }

    @Test
    void whatIsNoFileIsRefused() {
        assertThatThrownBy(() -> MappedInput.open(folder)).isInstanceOf(FileSystemException.class);
        assertThatThrownBy(() -> MappedInput.open(folder.resolve("b"))).isInstanceOf(NoSuchFileException.class);
    }
}
