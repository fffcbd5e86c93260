package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Both JPEG libraries against the JDK's decoder, at full size.
///
/// Tolerance: 40 dB and 12 levels. The two differ in the inverse transform (1 level), in rounding of the enlarged
/// chroma and of the color conversion (2 levels), and the JDK's libjpeg 6b replicates 4:4:0 chroma and rounds 4:2:0 in
/// another order.
class JpegDecodingTest {
    static Arguments[] filesAndBackends() {
        return Arrays.stream(new String[] {
                    "444-121x87",
                    "422-121x87",
                    "420-121x87",
                    "420-progressive-160x120",
                    "gray-97x131",
                    "420-1x1",
                    "420-17x3",
                    "411-121x87",
                    "440-121x87",
                    "restart-121x87"
                })
                .flatMap(file -> Arrays.stream(new JpegBackend[] {JpegBackend.TURBOJPEG, JpegBackend.FFMPEG})
                        .map(backend -> Arguments.of(file, backend)))
                .toArray(Arguments[]::new);
    }

    @ParameterizedTest
    @MethodSource("filesAndBackends")
    void equalsTheJdksDecoder(String file, JpegBackend backend) {
        Backends.require(backend);
        byte[] encoded = TestFiles.bytes("jpeg/" + file + ".jpg");
        byte[] expected = TestFiles.decodedByImageIo(encoded);

        byte[] actual = decode(encoded, ImageSpec.original(), backend);

        assertThat(TestFiles.psnr(expected, actual)).isGreaterThan(40);
        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void channelsAndLayoutsHoldTheSamePixels(JpegBackend backend) {
        Backends.require(backend);
        byte[] encoded = TestFiles.bytes("jpeg/420-121x87.jpg");
        ImageSpec spec = ImageSpec.exact(37, 29);
        byte[] rgb = decode(encoded, spec, backend);
        byte[] bgrPlanes = decode(encoded, spec.channels(Channels.BGR).layout(Layout.NCHW), backend);

        int pixels = 37 * 29;
        for (int i = 0; i < pixels; i++) {
            for (int c = 0; c < 3; c++) {
                assertThat(bgrPlanes[c * pixels + i]).isEqualTo(rgb[3 * i + 2 - c]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TURBOJPEG", "FFMPEG"})
    void aTruncatedFileIsRefused(JpegBackend backend) {
        Backends.require(backend);
        byte[] whole = TestFiles.bytes("jpeg/420-progressive-160x120.jpg");
        byte[] half = Arrays.copyOf(whole, whole.length / 2);

        assertThatThrownBy(() -> decode(half, ImageSpec.original(), backend))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("JPEG of " + String.format("%,d", half.length) + " bytes");
    }

    static byte[] decode(byte[] encoded, ImageSpec spec, JpegBackend backend) {
        try (Arena arena = Arena.ofConfined();
                BufferPool pool = BufferPool.create("test", 1 << 30);
                ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
            MemorySegment bytes = TestFiles.toNative(encoded, arena);
            try (Tensor tensor = decoder.decode(bytes, pool)) {
                return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
    }
}
