package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sound files that are truncated between opening and reading, when the memory for their samples is taken, are errors
/// that name them, in each way in which sound is read, or whole where all had been read before.
class ShortenedSoundTest {
    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Programs.run("ffmpeg -v error -y -f lavfi -i anoisesrc=colour=pink:amplitude=0.4:seed=7:r=44100:d=10"
                + ",aformat=channel_layouts=stereo " + file);
        return file;
    }

    private static void shorten(Path file, long left) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(left);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.wav", "a.flac", "a.mp3", "a.aac", "a.m4a", "a.ogg"})
    void aTruncatedFileIsNamed(String name) throws IOException {
        Path file = file(name);
        byte[] whole = Files.readAllBytes(file);
        int named = 0;
        for (ElementType type : new ElementType[] {ElementType.FLOAT32, ElementType.INT16}) {
            for (int left : new int[] {whole.length / 2, whole.length - 1_000, whole.length - 1}) {
                Files.write(file, whole);
                named += isNamed(file, AudioSpec.original().elements(type), left) ? 1 : 0;
            }
        }
        assertThat(named).as("errors").isGreaterThanOrEqualTo(2);
    }

    private static boolean isNamed(Path file, AudioSpec spec, int left) {
        MediaSource source = MediaSource.of(file);
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder decoder = AudioDecoder.create(spec, Isolation.none());
                Tensor whole = decoder.decode(source, pool)) {
            LongFunction<Lease> leases = byteSize -> {
                shorten(file, left);
                return pool.lease(byteSize);
            };
            try (Tensor sound = decoder.decode(source, leases)) {
                assertThat(sound.shape()).isEqualTo(whole.shape());
                assertThat(sound.segment().mismatch(whole.segment())).isEqualTo(-1);
                return false;
            } catch (MediaException shorter) {
                assertThat(shorter)
                        .hasMessageStartingWith(file + ": ")
                        .hasMessageContaining("it became shorter while it was read: ");
                assertThat(pool.outstanding()).isEqualTo(1);
                return true;
            }
        }
    }

    @Test
    void memoryThatTheCallerMappedIsNamed() throws IOException {
        for (String name : new String[] {"a.wav", "a.flac", "a.mp3", "a.aac"}) {
            Path file = file(name);
            try (Arena arena = Arena.ofShared();
                    FileChannel channel = FileChannel.open(file);
                    BufferPool pool = BufferPool.create("test", 1 << 26);
                    AudioDecoder decoder = AudioDecoder.create(AudioSpec.original(), Isolation.none())) {
                MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                LongFunction<Lease> leases = byteSize -> {
                    shorten(file, 8_000);
                    return pool.lease(byteSize);
                };

                assertThatThrownBy(() -> decoder.decode(MediaSource.of(mapped, name), leases))
                        .as(name)
                        .isInstanceOf(MediaException.class)
                        .hasMessageStartingWith(name + ": ")
                        .hasMessageContaining("it became shorter while it was read");
                assertThat(pool.outstanding()).isZero();
            }
        }
    }

    @Test
    void aFileThatGrowsIsReadAsItWas() throws IOException {
        Path file = Files.copy(TestMedia.file("s16.wav"), folder.resolve("s16.wav"));
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder decoder = AudioDecoder.create(AudioSpec.original(), Isolation.none());
                Tensor before = decoder.decode(MediaSource.of(file), pool);
                Tensor grown = decoder.decode(MediaSource.of(file), byteSize -> {
                    shorten(file, 1 << 20);
                    return pool.lease(byteSize);
                })) {
            assertThat(grown.segment().mismatch(before.segment())).isEqualTo(-1);
        }
    }
}
