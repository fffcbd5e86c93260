package org.jspdl.media.internal.resample;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterleavedPixelsTest {
    private static final boolean[] BOTH = {false, true};

    /// Fewer than are copied at once, as many, and more.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 63, 4095, 4096, 4097, 8192, 12_289})
    void everyElementIsWhereEncodersWantIt(int count) {
        Random random = new Random(count);
        try (Arena arena = Arena.ofConfined()) {
            for (int channels = 1; channels <= 4; channels++) {
                for (int elementBytes = 1; elementBytes <= 2; elementBytes++) {
                    byte[] image = new byte[count * channels * elementBytes];
                    random.nextBytes(image);
                    for (boolean planar : BOTH) {
                        for (boolean blueFirst : BOTH) {
                            MemorySegment pixels = new InterleavedPixels(channels, elementBytes, planar, blueFirst)
                                    .copy(MemorySegment.ofArray(image), arena);

                            assertThat(pixels.asSlice(0, image.length).toArray(ValueLayout.JAVA_BYTE))
                                    .as("%d channels of %d, %s, %s", channels, elementBytes, planar, blueFirst)
                                    .isEqualTo(expected(image, channels, elementBytes, planar, blueFirst));
                        }
                    }
                }
            }
        }
    }

    private static byte[] expected(byte[] image, int channels, int elementBytes, boolean planar, boolean blueFirst) {
        byte[] expected = new byte[image.length];
        int count = image.length / channels / elementBytes;
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < channels; c++) {
                int channel = blueFirst && channels > 2 && c < 3 ? 2 - c : c;
                int from = planar ? channel * count + i : i * channels + channel;
                for (int b = 0; b < elementBytes; b++) {
                    expected[(i * channels + c) * elementBytes + b] = image[from * elementBytes + b];
                }
            }
        }
        return expected;
    }
}
