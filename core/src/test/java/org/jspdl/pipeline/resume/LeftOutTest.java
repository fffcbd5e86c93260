package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.Test;

/// Items that a run does not hand over.
class LeftOutTest {
    /// An item that has to be closed.
    private record Held(long number, AtomicInteger open) implements AutoCloseable {
        Held {
            open.incrementAndGet();
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }

    private final AtomicInteger open = new AtomicInteger();

    private Pipeline<Held> recipe() {
        return Pipeline.from(Samplers.shuffled(20, 5))
                .pipe(
                        "hold",
                        number -> new Held(number, open),
                        StageOptions.cpu(3).inputOrder());
    }

    private List<Long> numbers(RunOptions options) {
        List<Long> numbers = new ArrayList<>();
        try (Run<Held> run = recipe().start(options)) {
            do {
                for (Held held : run) {
                    numbers.add(held.number());
                    held.close();
                }
            } while (run.nextEpoch());
        }
        return numbers;
    }

    @Test
    void allOtherItemsComeAsTheyWouldAndEveryItemIsClosed() {
        RunOptions whole = RunOptions.defaults().epochs(3);
        List<Long> all = numbers(whole);
        List<Long> leftOut = List.of(0L, 19L, 20L, 21L, 33L, 59L, 1_000L);

        assertThat(numbers(whole.leaveOut(leftOut)))
                .isEqualTo(IntStream.range(0, 60)
                        .filter(number -> !leftOut.contains((long) number))
                        .mapToObj(all::get)
                        .toList());
        assertThat(open).hasValue(0);
        assertThat(numbers(whole.leaveOut(List.of()))).isEqualTo(all);
    }

    @Test
    void aCheckpointCountsThemAndSaysWhichTheyWere() throws Exception {
        RunOptions whole = RunOptions.defaults();
        List<Long> all = numbers(whole);
        RunOptions some = whole.leaveOut(List.of(2L, 3L, 12L));
        List<Long> numbers = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<Held> run = recipe().start(some)) {
            while (numbers.size() < 7) {
                Optional<Held> held = run.poll(Duration.ofMinutes(1));
                numbers.add(held.orElseThrow().number());
                held.get().close();
            }
            checkpoint = run.checkpoint();
        }
        assertThat(checkpoint.delivered()).isEqualTo(9);
        assertThat(checkpoint.provenance()).containsEntry("left out", "[2, 3, 12]");

        numbers.addAll(numbers(some.strictProvenance().resumeFrom(checkpoint)));
        assertThat(numbers)
                .isEqualTo(IntStream.range(0, 20)
                        .filter(number -> number != 2 && number != 3 && number != 12)
                        .mapToObj(all::get)
                        .toList());
        assertThat(open).hasValue(0);
        assertThatThrownBy(() -> recipe().start(whole.strictProvenance().resumeFrom(checkpoint)))
                .hasMessageContaining("left out");
    }

    @Test
    void negativeNumbersAreRefused() {
        assertThatThrownBy(() -> RunOptions.defaults().leaveOut(List.of(3L, -1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }
}
