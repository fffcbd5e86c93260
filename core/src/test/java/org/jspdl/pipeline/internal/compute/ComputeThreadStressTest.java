package org.jspdl.pipeline.internal.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.resume.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class ComputeThreadStressTest {
    private static final int ROUNDS = Campaign.scale(500, 20_000);
    private static final int TASKS = 60;

    @RegisterExtension
    private final Race race = new Race();

    @Test
    void interruptsOfOneRunNeverReachTheFunctionsOfAnother() throws InterruptedException {
        AtomicInteger hits = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            ComputePool pool = new ComputePool("jspdl-stress", 2);
            ComputePool.Lane lane = pool.open(1);
            CountDownLatch left = new CountDownLatch(TASKS);
            AtomicInteger astray = new AtomicInteger();
            race.run(List.of(
                    () -> {
                        for (int task = 0; task < TASKS; task++) {
                            Object run = task % 3 == 0 ? "interrupted" : "other";
                            lane.submit(0, new Function(run, hits, astray, left));
                        }
                    },
                    () -> {
                        while (left.getCount() > 0) {
                            pool.interruptFor("interrupted");
                        }
                    }));
            assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
            lane.close();
            pool.close();
            assertThat(astray).as("round %d", round).hasValue(0);
        }
        assertThat(hits).as("interrupts that met their run").hasPositiveValue();
    }

    /// Looks for interrupts as the function of a run, and as nobody's.
    private record Function(Object owner, AtomicInteger hits, AtomicInteger astray, CountDownLatch left)
            implements ComputePool.Task {
        @Override
        public void run() {
            ComputeThread thread = (ComputeThread) Thread.currentThread();
            thread.enter(owner, null);
            (owner.equals("interrupted") ? hits : astray).addAndGet(interrupts());
            thread.leave();
            astray.addAndGet(interrupts());
            left.countDown();
        }

        private static int interrupts() {
            int found = 0;
            for (int i = 0; i < 200; i++) {
                found += Thread.interrupted() ? 1 : 0;
                Thread.onSpinWait();
            }
            return found;
        }

        @Override
        public void withdrawn() {
            left.countDown();
        }
    }

    @Test
    void theSharedPoolServesWhoeverHasAcquiredItAndEndsWithTheLast() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            AtomicInteger ran = new AtomicInteger();
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                racers.add(() -> {
                    for (int run = 0; run < 5; run++) {
                        ComputePool pool = SharedComputePool.acquire();
                        ComputePool.Lane lane = pool.open(1);
                        CountDownLatch done = new CountDownLatch(1);
                        lane.submit(0, new Counted(ran, done));
                        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
                        lane.close();
                        SharedComputePool.release();
                    }
                });
            }
            race.run(racers);
            assertThat(ran).as("round %d", round).hasValue(15);
        }
    }

    private record Counted(AtomicInteger ran, CountDownLatch done) implements ComputePool.Task {
        @Override
        public void run() {
            ran.incrementAndGet();
            done.countDown();
        }

        @Override
        public void withdrawn() {
            done.countDown();
        }
    }
}
