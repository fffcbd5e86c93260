package org.jspdl.media.image;

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
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A mapped picture is copied before any native code sees it, so that one that is truncated is an error, and not the
/// end of the process.
class ShortenedImageTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jpeg/420-121x87.jpg",
                "png/rgb-61x47.png",
                "webp/lossy-61x47.webp",
                "gif/61x47.gif",
                "tiff/lzw-61x47.tiff",
                "avif/420.avif"
            })
    void aMappedPictureThatIsTruncatedIsAnError(String name) throws IOException {
        byte[] bytes = TestFiles.bytes(name);
        Path file = Files.write(folder.resolve("picture"), bytes);
        // so that what is cut off is not of the last page
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(bytes.length + 100_000);
        }
        for (JpegBackend backend : JpegBackend.values()) {
            try (Arena arena = Arena.ofConfined();
                    FileChannel channel = FileChannel.open(file);
                    BufferPool pool = BufferPool.create("test", 1 << 22);
                    ImageDecoder decoder = ImageDecoder.create(ImageSpec.original(), backend)) {
                MemorySegment whole = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                MemorySegment mapped = whole.asSlice(0, bytes.length);
                try (Tensor from = decoder.decode(MemorySegment.ofArray(bytes), pool);
                        Tensor to = decoder.decode(mapped, pool)) {
                    assertThat(to.segment().mismatch(from.segment())).isEqualTo(-1);
                }
                try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                    open.setLength(0);
                    assertThatThrownBy(() -> decoder.decode(mapped, pool))
                            .isInstanceOf(UncheckedIOException.class)
                            .hasMessage("cannot read a mapped file: it became shorter while it was read");
                    open.write(bytes);
                    open.setLength(bytes.length + 100_000);
                }
                assertThat(pool.outstanding()).isZero();
            }
        }
    }
}
