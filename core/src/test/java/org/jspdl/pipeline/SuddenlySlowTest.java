package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.Runs.numbers;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.on;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import org.jspdl.leakcheck.LeakCheck;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Calls that were quick again and again, and then wait until the consumer has received all results before theirs: what
/// is finished passes on, whatever the next call does.
@ExtendWith(LeakCheck.class)
class SuddenlySlowTest {
    private static final int ITEMS = 6_000;
    /// Quick enough calls for one wake-up to serve several of them.
    private static final int QUICK = 997;

    /// The items that the consumer has received.
    private final Semaphore received = new Semaphore(0);

    static List<StageOptions> places() {
        return List.of(
                cpu(1),
                cpu(1).inputOrder(),
                cpu(1).buffer(64),
                on(Setting.THREAD_PER_TASK, 1).inputOrder());
    }

    private long waitAtTimes(long item) throws InterruptedException {
        if (item % QUICK == QUICK - 1) {
            awaitBefore(item);
        }
        return item;
    }

    /// Bounded, so that a test that goes wrong fails.
    private void awaitBefore(long item) throws InterruptedException {
        if (!received.tryAcquire((int) item, 100, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "of " + item + " items only " + received.availablePermits() + " were received");
        }
        received.release((int) item);
    }

    private List<Long> consume(Pipeline<Long> pipeline) {
        List<Long> all = new ArrayList<>();
        try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(2))) {
            run.forEach(item -> {
                all.add(item);
                received.release();
            });
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("places")
    void theConsumerGetsWhatQuickCallsHaveMade(StageOptions place) {
        assertThat(consume(Pipeline.from(Sources.range(ITEMS)).pipe("lend", this::waitAtTimes, place)))
                .isEqualTo(numbers(0, ITEMS));
    }

    @ParameterizedTest
    @MethodSource("places")
    void soDoesAStageWithoutThreads(StageOptions place) {
        assertThat(consume(Pipeline.from(Sources.range(ITEMS))
                        .pipe("lend", this::waitAtTimes, place)
                        .pipe("use", item -> item, cpu(1))))
                .isEqualTo(numbers(0, ITEMS));
    }

    @ParameterizedTest
    @MethodSource("places")
    void partsThatWereQuickPassBeforeOneThatIsNot(StageOptions place) {
        assertThat(consume(Pipeline.from(List.of(1))
                        .flatMap("parts", one -> (Iterable<Long>) this::waiting, place)
                        .pipe("use", item -> item, cpu(1))))
                .isEqualTo(numbers(0, ITEMS));
    }

    private Iterator<Long> waiting() {
        return new Iterator<>() {
            private long next;

            @Override
            public boolean hasNext() {
                return next < ITEMS;
            }

            @Override
            public Long next() {
                try {
                    return waitAtTimes(next++);
                } catch (InterruptedException stop) {
                    throw new IllegalStateException(stop);
                }
            }
        };
    }

    /// With one compute thread, which waits for the next element.
    @Test
    @Timeout(120)
    @SuppressWarnings("try") // closing the publisher ends what it publishes
    void whatIsPublishedPassesTheStagesBehindBeforeTheNextIsPublished() {
        try (SubmissionPublisher<Long> publisher = new SubmissionPublisher<>(Runnable::run, 4)) {
            Pipeline<Long> pipeline = Pipeline.from(List.of(1))
                    .flatMap("parts", one -> Elements.of(publisher), cpu(1))
                    .pipe("use", item -> item, cpu(1));
            try (Run<Long> run = pipeline.start(RunOptions.defaults().computeThreads(1))) {
                while (publisher.getNumberOfSubscribers() == 0) {
                    Thread.onSpinWait();
                }
                for (long i = 0; i < 100; i++) {
                    publisher.submit(i);
                    assertThat(Runs.take(run, 1)).containsExactly(i);
                }
            }
        }
    }
}
