package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.Map;
import java.util.TreeMap;
import org.jspdl.source.Sources;
import org.jspdl.stats.LinkStats;
import org.junit.jupiter.api.Test;

/// Buffers that nobody has set grow while small items are quick.
class GrowingBufferTest {
    private static final long ITEMS = 200_000;
    private static final int MOST = 256;

    @Test
    void everyBufferThatIsNotSetGrowsTheLastOneIncluded() {
        Map<String, Integer> largest =
                largest(Pipeline.from(Sources.range(ITEMS)).pipe("work", item -> item, cpu(2)), RunOptions.defaults());

        assertThat(largest.get("source")).isGreaterThanOrEqualTo(MOST);
        assertThat(largest.get("work")).isGreaterThanOrEqualTo(MOST);
    }

    @Test
    void aBufferThatIsSetStaysAsItIs() {
        Map<String, Integer> largest = largest(
                Pipeline.from(Sources.range(ITEMS))
                        .pipe("first", item -> item, cpu(2).buffer(2))
                        .pipe("work", item -> item, cpu(2))
                        .prefetch(3),
                RunOptions.defaults());

        assertThat(largest).containsEntry("first", 4).containsEntry("work", 5);
    }

    @Test
    void nothingGrowsUnderAByteBudgetOrWithItemsThatAreClosed() {
        Map<String, Integer> budget = largest(
                Pipeline.from(Sources.range(2_000)).pipe("work", item -> item, cpu(2)),
                RunOptions.defaults().byteBudget(new ByteBudget(1_000_000, 0)));
        Map<String, Integer> closed = largest(
                Pipeline.from(Sources.range(20_000)).map(item -> (AutoCloseable) () -> {}), RunOptions.defaults());

        assertThat(budget).containsEntry("source", 9).containsEntry("work", 5);
        assertThat(closed).containsEntry("source", 4);
    }

    /// By link, the largest capacity that it had.
    private static Map<String, Integer> largest(Pipeline<?> pipeline, RunOptions options) {
        Map<String, Integer> largest = new TreeMap<>();
        try (Run<?> run = pipeline.start(options)) {
            int items = 0;
            for (Object _ : run) {
                if (++items % 1_000 == 0) {
                    for (LinkStats link : run.stats().links()) {
                        largest.merge(link.name(), link.capacity(), Math::max);
                    }
                }
            }
        }
        return largest;
    }
}
