package org.jspdl.media.internal.jpeg.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Blocks without a coefficient but the first have the samples of the whole transform of their size, also where 32 bits
/// overflow.
class FlatBlockTest {
    private static final int CAPACITY = 256;

    @ParameterizedTest
    @CsvSource({"8, 255", "8, 65535", "4, 255", "4, 65535", "2, 255", "2, 65535"})
    void theSamplesAreThoseOfTheTransform(int size, int mostOfQuantization) {
        SplittableRandom random = new SplittableRandom(size + mostOfQuantization);
        BlockTransforms transforms = new BlockTransforms(CAPACITY);
        int stride = size * CAPACITY + 5;
        int[] places = IntStream.range(0, CAPACITY).map(block -> size * block).toArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment transformed = arena.allocate((long) size * stride);
            MemorySegment flat = arena.allocate((long) size * stride);
            for (int round = 0; round < 300; round++) {
                int[] quantization = IntStream.range(0, 64)
                        .map(_ -> 1 + random.nextInt(mostOfQuantization))
                        .toArray();
                int[][] coefficients = new int[64][CAPACITY];
                int most = round % 3 == 0 ? 32_767 : round % 3 == 1 ? 1_023 : 16;
                coefficients[0] = IntStream.range(0, CAPACITY)
                        .map(_ -> random.nextInt(-most - 1, most + 1))
                        .toArray();
                transformed.fill((byte) 1);
                flat.fill((byte) 1);

                transforms.run(size, CAPACITY, coefficients, quantization, transformed, places, stride);
                for (int block = 0; block < CAPACITY; block++) {
                    BlockTransforms.storeFlat(
                            size, coefficients[0][block], quantization[0], flat, places[block], stride);
                }

                assertThat(flat.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(transformed.toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }
}
