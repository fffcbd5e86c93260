package org.jspdl.data.http.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspdl.data.storage.StorageOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What becomes of the two ways to read something, with ways that end when the test says so.
class HedgeTest {
    private static final Hedge.Way<Read> QUICK = _ -> new Read("quick");

    private final Hedge hedge = new Hedge(new StorageOptions.Hedging(0.5, 1), new LongAdder(), new LongAdder());
    private final AtomicInteger discarded = new AtomicInteger();

    private record Read(String name, Runnable discarded) implements Hedge.Answer {
        Read(String name) {
            this(name, () -> {});
        }

        @Override
        public void discard() {
            discarded.run();
        }
    }

    /// Waits until it is cancelled, as a read does whose server says nothing.
    private static final class Stalled implements Closeable {
        private final CountDownLatch closed = new CountDownLatch(1);

        Read read(Cancellation cancellation) throws IOException {
            cancellation.use(this);
            try {
                closed.await();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new java.io.InterruptedIOException("interrupted");
            } finally {
                cancellation.done();
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @BeforeEach
    void knowWhatIsSlow() throws IOException {
        for (int i = 0; i < 100; i++) {
            hedge.read(1, QUICK, QUICK);
        }
    }

    @Test
    void readsThatWereLateDoNotMakeLaterOnesWaitLonger() throws IOException {
        Hedge.Way<Read> stalled = end -> new Stalled().read(end);
        LongAdder hedged = new LongAdder();
        try (Hedge patient = new Hedge(
                new StorageOptions.Hedging(0.98, 1), 2, TimeUnit.MILLISECONDS.toNanos(5), new LongAdder(), hedged)) {
            long quickest = Long.MAX_VALUE;
            for (int i = 0; i < 129; i++) {
                long begun = System.nanoTime();
                AtomicInteger seconds = new AtomicInteger();
                Read read =
                        patient.read(1, stalled, end -> (seconds.incrementAndGet() == 1 ? stalled : QUICK).read(end));
                assertThat(read.name()).isEqualTo("quick");
                // Of the last ones, because another process may hold the processor during one.
                quickest = i < 119 ? quickest : Math.min(quickest, System.nanoTime() - begun);
            }
            assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofSeconds(1));
        }
        assertThat(hedged.sum()).isEqualTo(2 * 129);
    }

    @AfterEach
    void close() {
        hedge.close();
    }

    @Test
    void aStalledReadIsOvertakenAndEnded() throws IOException {
        Thread caller = Thread.currentThread();
        AtomicReference<Thread> first = new AtomicReference<>();

        Read read = hedge.read(
                1,
                end -> {
                    first.set(Thread.currentThread());
                    return new Stalled().read(end);
                },
                _ -> new Read("second"));

        assertThat(read.name()).isEqualTo("second");
        assertThat(first.get()).isSameAs(caller);
        assertThat(caller.isInterrupted()).isFalse();
    }

    @Test
    void theSecondIsEndedAndWaitedForWhenTheFirstHasTheAnswer() throws IOException {
        CountDownLatch secondRuns = new CountDownLatch(1);
        AtomicInteger left = new AtomicInteger();

        Read read = hedge.read(
                1,
                _ -> {
                    await(secondRuns);
                    return new Read("first");
                },
                end -> {
                    secondRuns.countDown();
                    try {
                        return new Stalled().read(end);
                    } finally {
                        left.incrementAndGet();
                    }
                });

        assertThat(read.name()).isEqualTo("first");
        assertThat(left).hasValue(1);
    }

    @Test
    void anAnswerThatComesTooLateIsDiscarded() throws IOException {
        CountDownLatch firstIsCancelled = new CountDownLatch(1);

        Read read = hedge.read(
                1,
                end -> {
                    end.use(firstIsCancelled::countDown);
                    await(firstIsCancelled);
                    return new Read("first", discarded::incrementAndGet);
                },
                _ -> new Read("second"));

        assertThat(read.name()).isEqualTo("second");
        assertThat(discarded).hasValue(1);
    }

    @Test
    void aSecondThatFailsIsNone() throws IOException {
        CountDownLatch secondFailed = new CountDownLatch(1);

        Read read = hedge.read(
                1,
                _ -> {
                    await(secondFailed);
                    return new Read("first");
                },
                _ -> {
                    secondFailed.countDown();
                    throw new IOException("second");
                });

        assertThat(read.name()).isEqualTo("first");
    }

    @Test
    void theFailureIsThatOfTheFirst() {
        CountDownLatch secondFailed = new CountDownLatch(1);

        assertThatThrownBy(() -> hedge.read(
                        1,
                        _ -> {
                            await(secondFailed);
                            throw new IOException("first");
                        },
                        _ -> {
                            secondFailed.countDown();
                            throw new IOException("second");
                        }))
                .hasMessage("first");
    }

    @Test
    void aCallerThatIsInterruptedStaysSoAndEndsBoth() {
        CountDownLatch secondEnded = new CountDownLatch(1);
        Thread caller = Thread.currentThread();

        assertThatThrownBy(() -> hedge.read(1, new Stalled()::read, end -> {
                    caller.interrupt();
                    try {
                        return new Stalled().read(end);
                    } finally {
                        secondEnded.countDown();
                    }
                }))
                .hasMessage("interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(secondEnded.getCount()).isZero();
    }

    @Test
    void aPauseIsCutShort() throws IOException {
        AtomicReference<Cancellation> pausing = new AtomicReference<>();
        Hedge.Way<Read> trouble = end -> {
            pausing.set(end);
            end.pause(RetryClock.system(), Long.MAX_VALUE / 4);
            throw new IOException("cancelled");
        };

        Read read = hedge.read(1, trouble, _ -> new Read("second"));

        assertThat(read.name()).isEqualTo("second");
        assertThat(pausing.get()).matches(Cancellation::isCancelled);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            throw new IOException(interrupt);
        }
    }
}
