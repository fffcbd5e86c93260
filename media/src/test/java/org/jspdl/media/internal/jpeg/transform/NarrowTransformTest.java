package org.jspdl.media.internal.jpeg.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Narrow blocks have the samples of the whole transform, also where 32 bits overflow.
class NarrowTransformTest {
    private static final int CAPACITY = 256;
    private static final int STRIDE = 8 * CAPACITY;

    @ParameterizedTest
    @ValueSource(ints = {4, 200, 2_047, 32_767})
    void theSamplesAreThoseOfTheWholeTransform(int most) {
        SplittableRandom random = new SplittableRandom(most);
        BlockTransforms transforms = new BlockTransforms(CAPACITY);
        int[] places = IntStream.range(0, CAPACITY).map(block -> 8 * block).toArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(8L * STRIDE);
            MemorySegment narrow = arena.allocate(8L * STRIDE);
            for (int n : new int[] {1, 2, 7, 63, 100, CAPACITY, 3}) {
                int[] quantization = IntStream.range(0, 64)
                        .map(k -> 1 + random.nextInt(most == 32_767 ? 65_535 : 255))
                        .toArray();
                int[][] coefficients = new int[64][CAPACITY];
                for (int k = 0; k < 64; k++) {
                    for (int block = 0; block < n && k / 8 + k % 8 <= 3; block++) {
                        boolean isZero = random.nextInt(3) == 0;
                        coefficients[k][block] = isZero ? 0 : random.nextInt(-most - 1, most + 1);
                    }
                }
                whole.fill((byte) 1);
                narrow.fill((byte) 1);

                transforms.run(8, n, coefficients, quantization, whole, places, STRIDE);
                transforms.runNarrow(n, coefficients, quantization, narrow, places, STRIDE);

                assertThat(narrow.toArray(ValueLayout.JAVA_BYTE))
                        .as("%s blocks", n)
                        .isEqualTo(whole.toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }
}
