package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.data.Offset;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Files of 16 bits a channel, against the numbers they were made of (`src/test/python/deep_and_alpha.py`).
class HighBitDepthImageTest {
    private static final ImageSpec DEEP = ImageSpec.original().elements(ElementType.UINT16);

    @ParameterizedTest
    @CsvSource({
        "png/rgb16-37x29.png, RGB, rgb16",
        "png/rgba16-37x29.png, RGBA, rgba16",
        "png/depth16-37x29.png, GRAY, depth16",
        "tiff/rgb16-37x29.tiff, RGB, rgb16",
        "tiff/depth16-37x29.tiff, GRAY, depth16"
    })
    void everyBitOfSixteenIsKept(String file, Channels channels, String reference) {
        assertThat(decode(file, DEEP.channels(channels))).isEqualTo(numbers(reference));
        assertThat(ImageDecoder.probe(MemorySegment.ofArray(TestFiles.bytes(file)))
                        .bitDepth())
                .isEqualTo(16);
    }

    @ParameterizedTest
    @CsvSource({
        "png/rgb16-37x29.png, RGB, 16, 12, rgb16-exact16x12, 1",
        "png/depth16-37x29.png, GRAY, 50, 40, depth16-exact50x40, 1",
        "png/rgba16-37x29.png, RGBA, 16, 12, rgba16-exact16x12, 2"
    })
    void resizingEqualsTorchvisionOnFloats(
            String file, Channels channels, int width, int height, String reference, int tolerance) {
        int[] expected = numbers(reference);

        int[] actual = decode(
                file,
                ImageSpec.exact(width, height).elements(ElementType.UINT16).channels(channels));

        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            if (channels != Channels.RGBA || expected[i | 3] > 0) {
                assertThat(actual[i]).as("number %s", i).isCloseTo(expected[i], offset(tolerance));
            }
        }
    }

    @Test
    void deepImagesArePutOverAColor() {
        int[] expected = numbers("rgba16-on-white");

        int[] actual = decode("png/rgba16-37x29.png", DEEP.background(255, 255, 255));

        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], offset(1));
        }
    }

    @Test
    void floatsKeepWhatBytesWouldLose() {
        int[] deep = numbers("rgb16");
        ImageSpec spec = ImageSpec.original()
                .elements(ElementType.FLOAT32)
                .layout(Layout.NCHW)
                .normalization(Normalization.imageNet());
        float[] actual = TestFiles.floats(
                JpegDecodingTest.decode(TestFiles.bytes("png/rgb16-37x29.png"), spec, JpegBackend.BEST));

        int pixels = deep.length / 3;
        for (int i = 0; i < pixels; i++) {
            assertThat(actual[i]).isCloseTo((deep[3 * i] / 65535f - 0.485f) / 0.229f, offset(1e-5f));
            assertThat(actual[2 * pixels + i]).isCloseTo((deep[3 * i + 2] / 65535f - 0.406f) / 0.225f, offset(1e-5f));
        }
    }

    @Test
    void bytesOfOtherFilesBecomeTheWholeRange() {
        byte[] bytes =
                JpegDecodingTest.decode(TestFiles.bytes("png/rgb-61x47.png"), ImageSpec.original(), JpegBackend.BEST);

        int[] deep = decode("png/rgb-61x47.png", DEEP);

        for (int i = 0; i < bytes.length; i++) {
            assertThat(deep[i]).isEqualTo((bytes[i] & 0xFF) * 257);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, GRAY", "3, RGB", "4, RGBA"})
    void eachOfAllValuesBecomesTheNearestByte(int channels, Channels kept) {
        byte[] stored = new byte[256 * 256 * channels * 2];
        for (int i = 0; i < 256 * 256; i++) {
            for (int c = 0; c < channels; c++) {
                int at = 2 * (i * channels + c);
                int value = i * (2 * c + 1) & 0xFFFF;
                stored[at] = (byte) value;
                stored[at + 1] = (byte) (value >> 8);
            }
        }
        byte[] file =
                ImageEncoderTest.encode(ImageEncoder.png(1), stored, Shape.of(256, 256, channels), ElementType.UINT16);

        byte[] bytes = JpegDecodingTest.decode(file, ImageSpec.original().channels(kept), JpegBackend.BEST);

        for (int i = 0; i < bytes.length; i++) {
            int value = i / channels * (2 * (i % channels) + 1) & 0xFFFF;
            assertThat(bytes[i] & 0xFF).as("%d of 65,535", value).isEqualTo((int) Math.round(value / 257.0));
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void flippedCropsWithAMarginAreWhereBytesWouldBe(Layout layout) {
        ImageSpec spec = ImageSpec.original().layout(layout);
        ImagePlacement placement = new ImagePlacement(3, 2, 30, 20, 30, 20, -4, -3, 40, 30, true);
        byte[] bytes = place(spec, placement);
        int[] deep = words(place(spec.elements(ElementType.UINT16), placement));

        for (int i = 0; i < bytes.length; i++) {
            assertThat(deep[i]).isCloseTo((bytes[i] & 0xFF) * 257, offset(257 / 2));
        }
    }

    private static byte[] place(ImageSpec spec, ImagePlacement placement) {
        byte[] row = new byte
                [placement.width() * placement.height() * 3 * spec.elements().byteSize()];
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            decoder.decodeInto(
                    MemorySegment.ofArray(TestFiles.bytes("png/rgb16-37x29.png")),
                    MemorySegment.ofArray(row),
                    new ImageTransform(placement, ColorChange.NONE));
        }
        return row;
    }

    private static int[] decode(String file, ImageSpec spec) {
        return words(JpegDecodingTest.decode(TestFiles.bytes(file), spec, JpegBackend.BEST));
    }

    private static int[] numbers(String reference) {
        return words(TestFiles.bytes("reference/" + reference + ".bin"));
    }

    private static int[] words(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int[] words = new int[bytes.length / 2];
        for (int i = 0; i < words.length; i++) {
            words[i] = buffer.getShort(2 * i) & 0xFFFF;
        }
        return words;
    }

    private static Offset<Integer> offset(int tolerance) {
        return Offset.offset(tolerance);
    }

    private static Offset<Float> offset(float tolerance) {
        return Offset.offset(tolerance);
    }
}
