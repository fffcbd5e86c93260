package org.jspdl.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CurriculumOrderTest {
    private static final int SIZE = 10_000;

    private static double[] difficulties() {
        return new Random(5).doubles(SIZE).toArray();
    }

    private static List<Long> read(Sampler sampler, long epoch, Position from) throws Exception {
        List<Long> indices = new ArrayList<>();
        try (Cursor<Long> cursor = sampler.open(epoch, from)) {
            while (cursor.advance()) {
                indices.add(cursor.item());
            }
        }
        return indices;
    }

    @Test
    void everyIndexComesOnceAndNoneBeforeTheLimitAdmitsIt() throws Exception {
        double[] values = difficulties();
        // Half of the data at the beginning, all of it from the middle of the epoch on.
        Samplers.Limit limit = (epoch, place) -> 0.5 + place / (double) SIZE;
        List<Long> order = read(Samplers.curriculum(values, limit, "half", 3), 0, Position.START);

        assertThat(order)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, SIZE).boxed().toList());
        for (int place = 0; place < SIZE; place++) {
            assertThat(values[order.get(place).intValue()]).isLessThanOrEqualTo(limit.at(0, place));
        }
        assertThat(read(Samplers.curriculum(values, limit, "half", 3), 1, Position.START))
                .isNotEqualTo(order);
    }

    @Test
    void aLimitThatRisesTooSlowlyYieldsTheEasiestThatAreLeft() throws Exception {
        double[] values = difficulties();
        List<Long> order = read(Samplers.curriculum(values, (epoch, place) -> -1, "never", 3), 0, Position.START);

        for (int place = 1; place < SIZE; place++) {
            assertThat(values[order.get(place).intValue()])
                    .isGreaterThanOrEqualTo(values[order.get(place - 1).intValue()]);
        }
    }

    @Test
    void ranksShareTheOrderAndAnyPlaceOfItResumes() throws Exception {
        Sampler whole = Samplers.curriculum(difficulties(), (epoch, place) -> epoch + place / 9_000.0, "line", 3);
        List<Long> order = read(whole, 0, Position.START);
        List<Long> second = read(whole.shard(1, 2), 0, Position.START);
        for (int i = 0; i < second.size(); i++) {
            assertThat(second.get(i)).isEqualTo(order.get(2 * i + 1));
        }
        assertThat(read(whole, 0, Position.at(4_000))).isEqualTo(order.subList(4_000, SIZE));
    }

    @Test
    void aLimitThatFallsAndAValueThatIsNoNumberAreRefused() {
        assertThatThrownBy(() -> read(
                        Samplers.curriculum(difficulties(), (epoch, place) -> -place, "falls", 1), 0, Position.START))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'falls'")
                .hasMessageContaining("place 1 of epoch 0");
        assertThatThrownBy(() -> Samplers.curriculum(new double[] {1, Double.NaN}, (epoch, place) -> 1, "all", 1))
                .hasMessageContaining("index 1");
    }
}
