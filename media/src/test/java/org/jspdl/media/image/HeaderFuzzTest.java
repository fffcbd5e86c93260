package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.header.JpegHeader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Readers of headers and boxes, which are all ours: whatever the bytes, an image's description or a [DecodeException].
///
/// Only with `JAZZER_FUZZ=1` in the environment, for it instruments every class of its process: Jazzer starts from the
/// test pictures and is guided by the branches that inputs reach. `JAZZER_FUZZ=1 ./mvnw -pl media -am test
/// -Dtest=HeaderFuzzTest -Dsurefire.failIfNoSpecifiedTests=false`
@Tag("fuzz")
class HeaderFuzzTest {
    static Stream<Arguments> files() throws IOException, URISyntaxException {
        Path root = Path.of(Objects.requireNonNull(HeaderFuzzTest.class.getResource("/png"))
                        .toURI())
                .resolveSibling("");
        List<Arguments> seeds = new ArrayList<>();
        for (String format : List.of("jpeg", "png", "webp", "gif", "bmp", "tiff", "avif", "heic")) {
            try (Stream<Path> found = Files.list(root.resolve(format))) {
                for (Path file : found.sorted().toList()) {
                    seeds.add(Arguments.of((Object) Files.readAllBytes(file)));
                }
            }
        }
        return seeds.stream();
    }

    @MethodSource("files")
    @FuzzTest(maxDuration = "10m")
    void anyBytesAreDescribedOrRefused(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = TestFiles.toNative(bytes, arena);
            ImageInfo info = ImageDecoder.probe(file);
            assertThat(info.orientation()).isBetween(1, 8);
            if (info.format() == ImageFormat.JPEG) {
                ImageHeader header = new ImageHeader();
                ImageHeaders.read(file, header);
                assertThat(JpegHeader.rowsOfSingleScan(file, header)).isLessThan(bytes.length);
                JpegHeader.checkScans(file);
            }
        } catch (DecodeException expected) {
            assertThat(expected.reason()).isNotEmpty();
        }
    }
}
