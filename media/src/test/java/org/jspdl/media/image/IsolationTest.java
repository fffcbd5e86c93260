package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.FailingHelper;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationTest {
    private static final List<String> FILES = List.of(
            "jpeg/420-progressive-160x120.jpg",
            "jpeg/411-121x87.jpg",
            "jpeg/cmyk-90x70.jpg",
            "jpeg/gray-97x131.jpg",
            "png/bilevel-61x47.png",
            "png/rgba16-37x29.png",
            "png/gray16-61x47.png",
            "png/palette-alpha-37x29.png",
            "webp/lossy-61x47.webp",
            "webp/lossless-61x47.webp",
            "bmp/61x47.bmp",
            "gif/61x47.gif",
            "tiff/lzw-61x47.tiff",
            "avif/alpha.avif",
            "avif/grid-10bit.avif",
            "heic/grid.heic");

    @TempDir
    Path folder;

    @Test
    void aHelperMakesTheSamePixelsAndRefusesTheSameFiles() {
        ImageSpec rgb = ImageSpec.exact(40, 30);
        for (ImageSpec spec :
                List.of(rgb, rgb.channels(Channels.RGBA).elements(ElementType.UINT16), rgb.damage(Damage.KEPT))) {
            try (ImageDecoder here = ImageDecoder.create(spec, JpegBackend.BEST, Isolation.none());
                    ImageDecoder isolated = ImageDecoder.create(spec, JpegBackend.BEST, Isolation.all());
                    Arena arena = Arena.ofConfined()) {
                for (String name : FILES) {
                    byte[] file = TestFiles.bytes(name);
                    for (int length : new int[] {file.length, file.length / 2, file.length * 9 / 10}) {
                        MemorySegment encoded = TestFiles.toNative(Arrays.copyOf(file, length), arena);
                        assertThat(outcome(isolated, encoded))
                                .as("%s, %d of %d bytes, as %s", name, length, file.length, spec)
                                .isEqualTo(outcome(here, encoded));
                    }
                }
                assertThat(isolated.isolation().crashes()).isZero();
                assertThat(isolated.isolation().started()).isPositive();
                assertThat(here.isolation().started()).isZero();
            }
        }
    }

    /// What became of a file: its row, or why it was refused.
    private static List<?> outcome(ImageDecoder decoder, MemorySegment encoded) {
        Shape shape = decoder.spec().rowShape();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment row =
                    arena.allocate(shape.elements() * decoder.spec().elements().byteSize());
            decoder.decodeInto(encoded, row);
            return List.of(Arrays.hashCode(row.toArray(ValueLayout.JAVA_BYTE)));
        } catch (DecodeException refused) {
            return List.of(String.valueOf(refused.getMessage()));
        }
    }

    @Test
    void aCrashAndAnEndlessLoopAreFailuresOfTheirFiles() throws Exception {
        int first = Integer.getInteger("jspdl.campaign.first", 0);
        int files = Integer.getInteger("jspdl.campaign.files", Boolean.getBoolean("campaign") ? 100_000 : 250);
        FailingLibrary.Result result;
        // On a busy machine a helper may have no processor for half a second, and more.
        Duration deadline = Duration.ofMillis(500);
        do {
            result = FailingLibrary.run(first, first + files, FailingHelper.isolation(deadline, folder));
            System.out.println(result);
            deadline = deadline.multipliedBy(4);
        } while (deadline.compareTo(Duration.ofMinutes(1)) < 0
                && result.wrong().stream().anyMatch(wrong -> wrong.endsWith("DECODED but was ENDLESS")));

        assertThat(result.wrong()).as("%s", result).isEmpty();
        assertThat(result.crashes()).isPositive();
        assertThat(result.overruns()).isPositive();
        assertThat(folder.getParent()).isDirectoryNotContaining("glob:**/{core,core.*,hs_err*}");
    }

    @Test
    void aFileThatTheLastProcessDiedOfIsDecodedInAHelper() throws IOException {
        byte[] file = TestFiles.bytes("png/rgb-61x47.png");
        ImageSpec spec = ImageSpec.exact(40, 30);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = TestFiles.toNative(file, arena);
            FailingHelper.suspect(folder, encoded);
            try (ImageDecoder decoder = ImageDecoder.create(spec, JpegBackend.BEST, FailingHelper.ofSuspects(folder));
                    ImageDecoder here = ImageDecoder.create(spec, JpegBackend.BEST, Isolation.none())) {
                MemorySegment other = TestFiles.load("png/gray-61x47.png", arena);
                outcome(decoder, other);
                assertThat(decoder.isolation().started()).isZero();

                assertThat(outcome(decoder, encoded)).isEqualTo(outcome(here, encoded));
                assertThat(decoder.isolation().started()).isPositive();
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).contains("suspects");
        }
    }

    @Test
    void theProcessesEndWithTheDecoder() throws Exception {
        List<ProcessHandle> helpers;
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(8, 8), JpegBackend.BEST, Isolation.all());
                Arena arena = Arena.ofConfined()) {
            outcome(decoder, TestFiles.load("bmp/61x47.bmp", arena));
            helpers = ProcessHandle.current().children().toList();
            assertThat(helpers).isNotEmpty();
        }
        for (ProcessHandle helper : helpers) {
            helper.onExit().get();
        }
    }

    @Test
    void aDeadlineIsPositive() {
        assertThatThrownBy(() -> Isolation.all().deadline(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        assertThat(Isolation.auto().scope()).isEqualTo(Isolation.Scope.AUTO);
    }
}
