package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AbandonedRunTest {
    @Test
    @Timeout(120)
    void aRunThatNobodyHoldsIsClosedWithWhatItHeld() throws InterruptedException {
        Tracker tracker = new Tracker();
        CountDownLatch closed = new CountDownLatch(1);

        Tracker.Item delivered = startAndForget(tracker, closed);

        collectUntil(closed);
        delivered.close();
        // The stages end after the source; the threads of a run that still closes would fail the leak check.
        while (tracker.open() > 0) {
            Thread.onSpinWait();
        }
        tracker.assertEachClosedOnce();
    }

    @Test
    @Timeout(120)
    void theItemThatWasAskedForAndNotTakenIsClosedToo() throws InterruptedException {
        Tracker tracker = new Tracker();
        CountDownLatch closed = new CountDownLatch(1);

        askAndForget(tracker, closed);

        collectUntil(closed);
        while (tracker.open() > 0) {
            Thread.onSpinWait();
        }
        tracker.assertEachClosedOnce();
    }

    private static void askAndForget(Tracker tracker, CountDownLatch closed) {
        Run<Tracker.Item> run = Pipeline.from(endless(closed))
                .pipe("work", tracker::item, cpu(2))
                .start();
        assertThat(run.iterator().hasNext()).isTrue();
    }

    private static Tracker.Item startAndForget(Tracker tracker, CountDownLatch closed) {
        Run<Tracker.Item> run = Pipeline.from(endless(closed))
                .pipe("work", tracker::item, cpu(2))
                .start();
        return run.iterator().next();
    }

    private static void collectUntil(CountDownLatch latch) throws InterruptedException {
        do {
            System.gc();
        } while (!latch.await(10, TimeUnit.MILLISECONDS));
    }

    private static Source<Long> endless(CountDownLatch closed) {
        return new Source<>() {
            @Override
            public Cursor<Long> open(long epoch, Position from) {
                return new Cursor<>() {
                    private long next = from.index() - 1;

                    @Override
                    public boolean advance() {
                        next++;
                        return true;
                    }

                    @Override
                    public Long item() {
                        return next;
                    }

                    @Override
                    public Position position() {
                        return Position.at(next + 1);
                    }

                    @Override
                    public void close() {
                        closed.countDown();
                    }
                };
            }

            @Override
            public String identity() {
                return "endless";
            }
        };
    }
}
