package org.jspdl.pipeline.internal.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
class ComputePoolStressTest {
    private static final int ROUNDS = Campaign.scale(1_500, 20_000);
    private static final int TASKS = 50;

    @RegisterExtension
    private final Race race = new Race();

    @Test
    void everyTaskRunsOnceOnAtMostSoManyThreads() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            int size = 1 + random.nextInt(3);
            ComputePool pool = new ComputePool("jspdl-stress", size);
            int submitters = 1 + random.nextInt(3);
            Count count = new Count(submitters * TASKS * 2);
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < submitters; i++) {
                racers.add(() -> {
                    ComputePool.Lane lane = pool.open(2);
                    for (int task = 0; task < TASKS; task++) {
                        // Each task submits another, as stages wake the ones behind them.
                        lane.submit(0, count.then(() -> lane.submit(1, count.then(() -> {}))));
                    }
                    count.await();
                    lane.close();
                });
            }
            race.run(racers);
            pool.close();
            assertThat(count.ran).as("round %d", round).hasValue(submitters * TASKS * 2);
            assertThat(count.most.get()).as("round %d", round).isLessThanOrEqualTo(size);
        }
    }

    @Test
    void aWithdrawnTaskEitherRunsOrIsToldSo() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            ComputePool pool = new ComputePool("jspdl-stress", 2);
            ComputePool.Lane lane = pool.open(1);
            Count count = new Count(TASKS);
            race.run(List.of(
                    () -> {
                        for (int task = 0; task < TASKS; task++) {
                            lane.submit(0, count.then(() -> {}));
                        }
                    },
                    () -> {
                        for (int i = 0; i < 10; i++) {
                            lane.withdraw(0);
                        }
                    }));
            count.await();
            lane.close();
            pool.close();
            assertThat(count.ran.get() + count.withdrawn.get())
                    .as("round %d", round)
                    .isEqualTo(TASKS);
        }
    }

    @Test
    void whileAThreadStepsAsideAnotherTakesItsPlace() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            ComputePool pool = new ComputePool("jspdl-stress", 1);
            ComputePool.Lane lane = pool.open(1);
            Count count = new Count(TASKS);
            CountDownLatch last = new CountDownLatch(1);
            lane.submit(0, count.then(() -> blockUntil(last)));
            for (int task = 0; task < TASKS - 2; task++) {
                lane.submit(0, count.then(() -> {}));
            }
            lane.submit(0, count.then(last::countDown));
            count.await();
            lane.close();
            pool.close();
            assertThat(count.ran).as("round %d", round).hasValue(TASKS);
        }
    }

    private static void blockUntil(CountDownLatch latch) {
        try {
            boolean came = ComputePool.whileBlocked(() -> latch.await(30, TimeUnit.SECONDS));
            assertThat(came).isTrue();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void aPoolThatIsClosedWhileTasksAreSubmittedEnds() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            ComputePool pool = new ComputePool("jspdl-stress", 2);
            ComputePool.Lane lane = pool.open(1);
            Count count = new Count(TASKS);
            race.run(List.of(
                    () -> {
                        for (int task = 0; task < TASKS; task++) {
                            lane.submit(0, count.then(() -> {}));
                        }
                    },
                    pool::close));
            assertThat(count.ran.get()).as("round %d", round).isLessThanOrEqualTo(TASKS);
        }
    }

    /// Counts tasks and how many run at once.
    private static final class Count {
        final AtomicInteger ran = new AtomicInteger();
        final AtomicInteger withdrawn = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        private final AtomicInteger running = new AtomicInteger();
        private final CountDownLatch left;

        Count(int tasks) {
            left = new CountDownLatch(tasks);
        }

        ComputePool.Task then(Runnable work) {
            return new ComputePool.Task() {
                @Override
                public void run() {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    work.run();
                    running.decrementAndGet();
                    ran.incrementAndGet();
                    left.countDown();
                }

                @Override
                public void withdrawn() {
                    withdrawn.incrementAndGet();
                    left.countDown();
                }
            };
        }

        void await() throws InterruptedException {
            assertThat(left.await(30, TimeUnit.SECONDS))
                    .as("all tasks end, %s", left)
                    .isTrue();
        }
    }
}
