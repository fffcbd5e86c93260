package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Decoding from memory leaves the heap alone once it is compiled; until then the interpreter allocates what the
/// compiler does away with, so passes are made until one is lean enough. Of small objects that live for one call, such
/// as slices of memory, of 24 to 40 bytes, the compiler leaves one or the other, as it inlines; what an image brings,
/// its tables or rows, is hundreds of bytes.
class AllocationTest {
    private static final int IMAGES = 400;
    private static final int MOST_PASSES = 500;

    @ParameterizedTest
    @CsvSource({"BEST, 64", "TURBOJPEG, 128", "FFMPEG, 128"})
    void anImageAllocatesHardlyAnything(JpegBackend backend, int bytesPerImage) {
        Backends.require(backend);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        ImageSpec spec = ImageSpec.shorterSide(32)
                .centerCrop(24, 24)
                .elements(ElementType.FLOAT32)
                .layout(Layout.NCHW);
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
            List<MemorySegment> files = Stream.of("420-17x3", "422-121x87", "gray-97x131", "444-121x87")
                    .map(name -> TestFiles.load("jpeg/" + name + ".jpg", arena))
                    .toList();
            MemorySegment row = arena.allocate(spec.rowBytes());
            long least = Long.MAX_VALUE;
            for (int pass = 0; pass < MOST_PASSES && least > bytesPerImage; pass++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < IMAGES; i++) {
                    decoder.decodeInto(files.get(i % files.size()), row);
                }
                least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / IMAGES);
            }
            assertThat(least).as("bytes of heap for each image").isLessThanOrEqualTo(bytesPerImage);
        }
    }
}
