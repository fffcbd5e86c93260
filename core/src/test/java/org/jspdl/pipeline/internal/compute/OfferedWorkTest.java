package org.jspdl.pipeline.internal.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Work that tasks offer to threads without a task.
class OfferedWorkTest {
    @Test
    void aThreadWithoutATaskDoesWhatATaskOffers() throws InterruptedException {
        ComputePool pool = new ComputePool("jspdl-test", 2);
        ComputePool.Lane lane = pool.open(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(1);
        lane.submit(0, task(() -> {
            threads.add(Thread.currentThread());
            CountDownLatch helped = new CountDownLatch(1);
            boolean taken = ComputePool.offer(() -> {
                threads.add(Thread.currentThread());
                helped.countDown();
            });
            assertThat(taken).isTrue();
            await(helped);
            done.countDown();
        }));
        await(done);
        lane.close();
        pool.close();

        assertThat(threads).hasSize(2);
    }

    @Test
    void tasksGoBeforeWhatIsOffered() throws InterruptedException {
        ComputePool pool = new ComputePool("jspdl-test", 1);
        ComputePool.Lane lane = pool.open(1);
        ComputePool.Lane other = pool.open(1);
        ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(3);
        lane.submit(0, task(() -> {
            ComputePool.offer(() -> {
                ran.add("offer");
                done.countDown();
            });
            for (ComputePool.Lane each : new ComputePool.Lane[] {lane, other}) {
                each.submit(0, task(() -> {
                    ran.add("task");
                    done.countDown();
                }));
            }
        }));
        await(done);
        lane.close();
        other.close();
        pool.close();

        assertThat(ran).containsExactly("task", "task", "offer");
    }

    /// Newer work takes the place of older: nothing piles up where all threads are busy.
    @Test
    void thereIsRoomForAsMuchAsThereAreThreads() throws InterruptedException {
        ComputePool pool = new ComputePool("jspdl-test", 1);
        ComputePool.Lane lane = pool.open(1);
        ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(1);
        lane.submit(0, task(() -> {
            for (int i = 0; i < 10; i++) {
                int number = i;
                ComputePool.offer(() -> {
                    ran.add(number);
                    done.countDown();
                });
            }
        }));
        await(done);
        lane.close();
        pool.close();

        assertThat(ran).containsExactly(9);
    }

    @Test
    void onOtherThreadsNobodyTakesIt() {
        assertThat(ComputePool.offer(() -> {})).isFalse();
    }

    /// A run that ends does not wait for work that has not begun, and none begins afterwards.
    @Test
    void whatWasOfferedEndsWithItsRun() throws InterruptedException {
        ComputePool pool = new ComputePool("jspdl-test", 1);
        ComputePool.Lane lane = pool.open(1);
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch offered = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        lane.submit(0, task(() -> {
            ComputePool.offer(ran::incrementAndGet);
            offered.countDown();
            await(closed);
        }));
        await(offered);
        lane.close();
        closed.countDown();
        ComputePool.Lane next = pool.open(1);
        CountDownLatch done = new CountDownLatch(1);
        next.submit(0, task(done::countDown));
        await(done);
        pool.close();

        assertThat(ran).hasValue(0);
    }

    @Test
    void noMoreThreadsWorkThanThereAreInThePool() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Random random = new Random(round);
            int size = 1 + random.nextInt(4);
            int tasks = 1 + random.nextInt(20);
            ComputePool pool = new ComputePool("jspdl-test", size);
            ComputePool.Lane lane = pool.open(1);
            AtomicInteger working = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(tasks);
            for (int i = 0; i < tasks; i++) {
                lane.submit(0, task(() -> {
                    most.accumulateAndGet(working.incrementAndGet(), Math::max);
                    for (int k = 0; k < 3; k++) {
                        ComputePool.offer(() -> {
                            most.accumulateAndGet(working.incrementAndGet(), Math::max);
                            working.decrementAndGet();
                        });
                    }
                    working.decrementAndGet();
                    done.countDown();
                }));
            }
            await(done);
            lane.close();
            pool.close();
            assertThat(most.get()).as("round %d", round).isLessThanOrEqualTo(size);
        }
    }

    private static ComputePool.Task task(Runnable work) {
        return new ComputePool.Task() {
            @Override
            public void run() {
                work.run();
            }

            @Override
            public void withdrawn() {}
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(100, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
