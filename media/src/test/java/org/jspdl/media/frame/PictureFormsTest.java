package org.jspdl.media.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspdl.media.internal.ffmpeg.AvFrame;
import org.jspdl.media.internal.ffmpeg.AvNames;
import org.jspdl.media.stream.DemuxOptions;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Frames of every pixel format as tensors: the bytes of a raw video, as they are, or a refusal.
class PictureFormsTest {
    /// A raw video of random bytes of one frame, as long as FFmpeg asks for; decoded.
    private static Frames frames(String format, int width, int height, byte[] bytes) {
        DemuxOptions raw = DemuxOptions.standard()
                .format("rawvideo")
                .option("pixel_format", format)
                .option("video_size", width + "x" + height);
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(bytes), raw)) {
            return Decoder.decodeAll(demuxer.packets(demuxer.info().require(StreamInfo.Kind.VIDEO), TimeWindow.all()));
        }
    }

    private static byte[] random(int count) {
        byte[] bytes = new byte[count];
        new SplittableRandom(count).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(Frames frames, BufferPool pool) {
        try (Tensor tensor = frames.toTensor(pool)) {
            return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Formats from the first number on, as long as there are any.
    private static List<String> formats() {
        List<String> all = new ArrayList<>();
        for (int number = 0; !AvNames.pixelFormat(number).isEmpty(); number++) {
            all.add(AvNames.pixelFormat(number));
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"12, 8", "5, 3", "1, 1", "64, 2"})
    void everyFormatHasTheBytesOfTheFileOrIsRefused(int width, int height) {
        Set<String> shown = new LinkedHashSet<>();
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            for (String format : formats()) {
                if (AvNames.pixels(AvNames.pixelFormat(format)).isHardware()) {
                    continue;
                }
                byte[] content = random(AvFrame.pictureBytes(AvNames.pixelFormat(format), width, height));
                try (Frames frames = frames(format, width, height, content);
                        FilterGraph copy = FilterGraph.of("vflip,vflip,copy")) {
                    byte[] actual;
                    try {
                        actual = bytes(frames, pool);
                    } catch (IllegalArgumentException refused) {
                        assertThat(refused).hasMessageContaining(format).hasMessageContaining("format=rgb24");
                        continue;
                    }
                    shown.add(format);
                    byte[] expected = content.clone();
                    if (format.endsWith("be")) {
                        swap(
                                expected,
                                format.contains("32") || format.contains("96") || format.contains("128") ? 4 : 2);
                    }
                    assertThat(actual).as(format).isEqualTo(expected);
                    try (Frames copied = copy.filter(frames.copy())) {
                        assertThat(bytes(copied, pool)).as("%s, copied", format).isEqualTo(expected);
                    }
                }
            }
        }
        assertThat(shown)
                .contains(
                        "rgb24", "gray", "ya8", "gray16be", "rgb48be", "grayf32le", "gbrpf32be", "gbrp10le", "yuv444p")
                .doesNotContain("monow", "pal8", "rgb565le", "rgb8", "x2rgb10le", "bayer_bggr8", "uyyvyy411", "nv24");
        assertThat(shown.contains("yuv420p")).isEqualTo(width % 2 == 0 && height % 2 == 0);
        assertThat(shown.contains("yuyv422")).isEqualTo(width % 2 == 0);
    }

    private static void swap(byte[] bytes, int size) {
        for (int at = 0; at < bytes.length; at += size) {
            for (int i = 0; i < size / 2; i++) {
                byte kept = bytes[at + i];
                bytes[at + i] = bytes[at + size - 1 - i];
                bytes[at + size - 1 - i] = kept;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rgb24,     UINT8,   3",
        "gray,      UINT8,   1",
        "rgba64le,  UINT16,  4",
        "grayf32le, FLOAT32, 1",
        "rgbf32le,  FLOAT32, 3",
        "rgbaf16le, FLOAT16, 4",
        "rgb96be,   UINT32,  3",
        "yuyv422,   UINT8,   2"
    })
    void picturesStoredFromBelowHaveTheirFirstRowFirst(String format, ElementType type, int channels) {
        int width = 6;
        int height = 4;
        int line = width * channels * type.byteSize();
        byte[] content = random(line * height);
        try (BufferPool pool = BufferPool.create("test", 1 << 20);
                Frames frames = frames(format, width, height, content);
                FilterGraph flip = FilterGraph.of("vflip");
                Frames flipped = flip.filter(frames.copy());
                Tensor tensor = flipped.toTensor(pool)) {
            assertThat(flipped.get(0).stride(0)).isNegative();
            assertThat(tensor.type()).isEqualTo(type);
            assertThat(tensor.shape()).isEqualTo(Shape.of(1, height, width, channels));
            byte[] expected = new byte[content.length];
            for (int y = 0; y < height; y++) {
                System.arraycopy(content, (height - 1 - y) * line, expected, y * line, line);
            }
            if (format.endsWith("be")) {
                swap(expected, type.byteSize());
            }
            assertThat(tensor.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
            assertThatThrownBy(() -> flipped.get(0).plane(0, height))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("from below");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gray16be", "rgb48be", "rgb565le", "nv24", "x2rgb10le", "bayer_bggr8", "pal8"})
    void noFrameRefersToATensorThatWouldMeanSomethingElse(String format) {
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            for (ElementType type : List.of(ElementType.UINT8, ElementType.UINT16, ElementType.UINT32)) {
                for (int channels = 1; channels <= 4; channels++) {
                    try (Tensor tensor = Tensor.allocate(type, Shape.of(2, channels, 4, channels), pool)) {
                        assertThatThrownBy(() -> ReferenceFrames.pictures(tensor, format, Rational.ONE, 0))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining(format);
                    }
                }
            }
        }
    }

    @Test
    void theSizeOfFramesIsThatOfTheirPixels() {
        byte[] bits = random(3 * 5);
        try (Frames frames = frames("monow", 17, 5, bits)) {
            assertThat(frames.byteSize()).isEqualTo(bits.length);
        }
    }
}
