package org.jspdl.pipeline.internal.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Which task comes next, on the only thread of a pool.
class ComputePoolTest {
    private final ComputePool pool = new ComputePool("jspdl-test", 1);
    private final ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(6);
    private ComputePool.Lane lane;

    @BeforeEach
    void keepTheThreadBusy() throws InterruptedException {
        lane = pool.open(3);
        lane.submit(0, task(() -> {
            busy.countDown();
            awaitRelease();
        }));
        busy.await();
    }

    @AfterEach
    void endThreads() {
        released.countDown();
        pool.close();
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
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

    private void submit(ComputePool.Lane to, int depth, String name) {
        to.submit(depth, task(() -> {
            ran.add(name);
            done.countDown();
        }));
    }

    @Test
    void theTaskFarthestDownstreamGoesFirstAndEqualOnesInTheirOrder() throws InterruptedException {
        submit(lane, 0, "read 1");
        submit(lane, 1, "decode 1");
        submit(lane, 0, "read 2");
        submit(lane, 2, "stack 1");
        submit(lane, 1, "decode 2");
        submit(lane, 2, "stack 2");
        released.countDown();
        done.await();

        assertThat(ran).containsExactly("stack 1", "stack 2", "decode 1", "decode 2", "read 1", "read 2");
    }

    @Test
    void runsTakeTurns() throws InterruptedException {
        ComputePool.Lane other = pool.open(3);
        for (String number : List.of("1", "2", "3")) {
            submit(lane, 2, "mine " + number);
            submit(other, 0, "other " + number);
        }
        released.countDown();
        done.await();

        assertThat(ran).filteredOn(name -> name.startsWith("mine")).containsExactly("mine 1", "mine 2", "mine 3");
        List<String> order = List.copyOf(ran);
        for (int i = 1; i < order.size(); i++) {
            assertThat(order.get(i).charAt(0))
                    .as("%s", order)
                    .isNotEqualTo(order.get(i - 1).charAt(0));
        }
    }
}
