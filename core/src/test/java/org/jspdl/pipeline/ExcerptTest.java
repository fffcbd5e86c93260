package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

/// Single places of a pipeline against the whole run.
class ExcerptTest {
    private static final RunOptions OPTIONS = RunOptions.defaults().seed(11);

    private static Pipeline<String> items() {
        return Pipeline.from(Samplers.shuffled(40, 3))
                .map(item -> item)
                .pipe("read", ExcerptTest::refusing, cpu(3).failures(FailurePolicy.skip(1_000)))
                .pipeSeeded("augment", (item, random) -> item + ":" + random.nextInt(1_000), io(4).inputOrder());
    }

    private static Long refusing(Long item) {
        if (item % 10 == 7) {
            throw new IllegalStateException("no " + item);
        }
        return item;
    }

    private static List<String> whole(long epoch) {
        List<String> all = new ArrayList<>();
        try (Run<String> run = items().start(OPTIONS.epochs(epoch + 1))) {
            do {
                run.forEach(item -> {
                    if (run.epoch() == epoch) {
                        all.add(item);
                    }
                });
            } while (run.nextEpoch());
        }
        return all;
    }

    @Test
    void piecesTogetherAreTheWholeEpochWithItsRandomness() {
        Pipeline<List<String>> batched = items().batch(6, Remainder.KEEP);
        List<Object> together = new ArrayList<>();
        int failed = 0;
        for (long from = 0; from < Pipelines.places(batched); from += 7) {
            List<Long> places =
                    LongStream.range(from, Math.min(40, from + 7)).boxed().toList();
            Excerpt piece = Pipelines.excerpt(batched, 2, places, OPTIONS);
            piece.items().stream().filter(item -> item != null).forEach(together::add);
            assertThat(piece.items()).hasSameSizeAs(places);
            failed += piece.failures().size();
        }

        assertThat(failed).isEqualTo(4);
        assertThat(together.stream().map(String::valueOf)).containsExactlyInAnyOrderElementsOf(whole(2));
    }

    @Test
    void aFailureIsToldAtThePlaceThatFailed() {
        List<Long> places = LongStream.iterate(39, place -> place >= 0, place -> place - 2)
                .boxed()
                .toList();

        Excerpt piece = Pipelines.excerpt(items(), 0, places, OPTIONS);

        for (int i = 0; i < places.size(); i++) {
            if (piece.items().get(i) == null) {
                FailedItem failure = Objects.requireNonNull(piece.failures().get(i));
                assertThat(failure.position().index()).isEqualTo(places.get(i));
                assertThat(failure.cause()).hasMessage("no " + failure.input());
            } else {
                assertThat(piece.failures()).doesNotContainKey(i);
            }
        }
        assertThat(Pipelines.excerpt(items(), 0, List.of(), OPTIONS).items()).isEmpty();
    }

    @Test
    void whatHasNoPlacesIsRefused() {
        Pipeline<Long> generated = Pipeline.from(Sources.range(10));
        assertThatThrownBy(() -> Pipelines.places(generated))
                .hasMessageContaining("finds a place by its number, as samplers do");
        assertThatThrownBy(() -> Pipelines.excerpt(items(), 0, List.of(40L), OPTIONS))
                .hasMessageContaining("no place 40 in an epoch of 40");
        assertThatThrownBy(() -> Pipelines.excerpt(items(), 0, List.of(3L, 3L), OPTIONS))
                .hasMessageContaining("twice");
    }

    /// An item that says whether it was closed.
    private record Held(long number, List<Long> closed) implements AutoCloseable {
        @Override
        public void close() {
            closed.add(number);
        }
    }

    private static Pipeline<String> filtered(List<Long> closed) {
        return Pipeline.from(Samplers.shuffled(40, 3))
                .map(item -> new Held(item, closed))
                .pipe(
                        "read",
                        item -> {
                            refusing(item.number);
                            return item;
                        },
                        cpu(3).failures(FailurePolicy.skip(1_000)))
                .filter(item -> item.number % 3 != 0)
                .weigh(item -> item.number)
                .pipeAsync("later", item -> CompletableFuture.completedStage(item.number), StageOptions.async(2))
                .filter(item -> item % 2 == 0)
                .pipeSeeded("augment", (item, random) -> item + ":" + random.nextInt(1_000), io(4));
    }

    @Test
    void aPlaceThatAFilterDropsIsEmptyAndTheOthersAreThoseOfTheWholeRun() {
        List<Long> closed = Collections.synchronizedList(new ArrayList<>());
        List<String> whole = new ArrayList<>();
        try (Run<String> run = filtered(new ArrayList<>()).start(OPTIONS)) {
            run.forEach(whole::add);
        }
        List<Object> together = new ArrayList<>();
        int empty = 0;
        int failed = 0;
        for (long from = 0; from < 40; from += 9) {
            List<Long> places =
                    LongStream.range(from, Math.min(40, from + 9)).boxed().toList();
            Excerpt piece = Pipelines.wholeExcerpt(filtered(closed), 0, places, OPTIONS);
            assertThat(piece.items()).hasSameSizeAs(places);
            piece.items().stream().filter(Objects::nonNull).forEach(together::add);
            empty += (int) piece.items().stream().filter(Objects::isNull).count();
            failed += piece.failures().size();
        }

        assertThat(together.stream().map(String::valueOf)).containsExactlyInAnyOrderElementsOf(whole);
        assertThat(failed).isEqualTo(4);
        assertThat(empty).isEqualTo(40 - whole.size());
        assertThat(closed).contains(0L, 3L, 39L).doesNotContain(1L, 2L, 4L);
    }

    @Test
    void stepsThatMakeOtherThanOneItemOfOneAreNamed() {
        assertThatThrownBy(() -> Pipelines.wholeExcerpt(items().batch(6, Remainder.KEEP), 0, List.of(1L), OPTIONS))
                .hasMessageContaining("can't be run through 'batch(6) KEEP', which does not make one item of one");
    }
}
