package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.util.List;
import java.util.stream.Stream;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The whole way from bytes to a row, for every format, by each decoder: an image or a [DecodeException], and nothing
/// written outside of the row.
///
/// As [HeaderFuzzTest], only with `JAZZER_FUZZ=1`: `JAZZER_FUZZ=1 ./mvnw -pl media -am test -Dtest=DecoderFuzzTest
/// -Dsurefire.failIfNoSpecifiedTests=false`
@Tag("fuzz")
class DecoderFuzzTest {
    private static final ImageSpec SPEC =
            ImageSpec.shorterSide(40).centerCrop(48, 33).maxPixels(1_000_000);
    /// Strict, by FFmpeg alone, lenient, and deep with alpha.
    private static final List<ImageDecoder> DECODERS = List.of(
            ImageDecoder.create(SPEC),
            ImageDecoder.create(SPEC, JpegBackend.FFMPEG),
            ImageDecoder.create(SPEC.damage(Damage.KEPT)),
            ImageDecoder.create(SPEC.channels(Channels.RGBA).elements(ElementType.UINT16)));

    static Stream<Arguments> files() throws IOException, URISyntaxException {
        return HeaderFuzzTest.files();
    }

    @MethodSource("files")
    @FuzzTest(maxDuration = "5m")
    void anyBytesBecomeARowOrAreRefused(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = TestFiles.toNative(bytes, arena);
            for (ImageDecoder decoder : DECODERS) {
                GuardedRow row = new GuardedRow(decoder.spec().rowBytes(), arena);
                try {
                    decoder.decodeInto(file, row.segment());
                } catch (DecodeException expected) {
                    assertThat(expected.reason()).isNotEmpty();
                }
                row.check();
            }
        }
    }
}
