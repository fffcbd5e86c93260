package org.jspdl.pipeline.internal.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.stage.Deadlines.Call;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class DeadlinesStressTest {
    private static final int ROUNDS = Campaign.scale(2_000, 20_000);
    private static final long LIMIT_NANOS = 200_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

    @RegisterExtension
    private final Race race = new Race();

    private final Queue<Call> givenUp = new ConcurrentLinkedQueue<>();
    private final Deadlines deadlines = new Deadlines("jspdl-stress-deadlines");
    private final Deadlines.Limits limits = new Deadlines.Limits(LIMIT_NANOS, Long.MAX_VALUE);

    @AfterEach
    void endThreads() throws InterruptedException {
        deadlines.stop();
        deadlines.thread().join();
    }

    @Test
    void callsThatBeginTogetherAreAllInterrupted() throws InterruptedException {
        begun().end();
        for (int round = 0; round < ROUNDS; round++) {
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                racers.add(() -> {
                    Call call = begun();
                    awaitInterrupt();
                    assertThat(call.end()).isNotEqualTo(Deadlines.End.IN_TIME);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                });
            }
            // Only a watcher that knows of no deadline must be woken.
            awaitState(Thread.State.WAITING);
            race.run(racers);
        }
    }

    @Test
    void aCallEndsInTimeOrLateOrIsGivenUpAndNoInterruptOutlivesIt() throws InterruptedException {
        Queue<Call> abandoned = new ConcurrentLinkedQueue<>();
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                // Around the moments of the interrupt and of the giving up.
                long nanos = random.nextLong(3 * LIMIT_NANOS);
                racers.add(() -> {
                    Call call = begun();
                    spin(nanos);
                    if (call.end() == Deadlines.End.ABANDONED) {
                        abandoned.add(call);
                    }
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    spin(random.nextInt(1_000));
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                });
            }
            race.run(racers);
        }
        deadlines.stop();
        deadlines.thread().join();
        assertThat(givenUp).containsExactlyInAnyOrderElementsOf(abandoned);
    }

    /// What an alarm does may wait for a lock, which takes a wake-up of the watcher away.
    @Test
    void anAlarmThatIsAddedWhileAnotherRingsAndWaitsStillRings() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            CountDownLatch second = new CountDownLatch(1);
            CountDownLatch added = new CountDownLatch(1);
            Thread adder = new Thread(() -> {
                deadlines.watch(alarm(0, second::countDown));
                added.countDown();
            });
            deadlines.watch(alarm(LIMIT_NANOS, () -> {
                adder.start();
                while (added.getCount() > 0) {
                    Thread.onSpinWait();
                }
                // As a lock does that another thread holds.
                LockSupport.parkNanos(1);
            }));

            assertThat(second.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS))
                    .as("round %d", round)
                    .isTrue();
            adder.join();
        }
    }

    @Test
    void theWatcherEndsWhenItIsStoppedWhileAnAlarmRingsAndWaits() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Deadlines ending = new Deadlines("jspdl-stress-ending");
            CountDownLatch rings = new CountDownLatch(1);
            CountDownLatch stopped = new CountDownLatch(1);
            ending.watch(alarm(0, () -> {
                rings.countDown();
                while (stopped.getCount() > 0) {
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos(1);
            }));
            rings.await();

            ending.stop();
            stopped.countDown();

            assertThat(ending.thread().join(Duration.ofNanos(PATIENCE_NANOS)))
                    .as("round %d", round)
                    .isTrue();
        }
    }

    private static Deadlines.Alarm alarm(long nanos, Runnable action) {
        return new Deadlines.Alarm(System.nanoTime() + nanos) {
            @Override
            protected long ring() {
                action.run();
                return Long.MAX_VALUE;
            }
        };
    }

    private Call begun() {
        long now = System.nanoTime();
        return deadlines.begin(limits, givenUp::add, envelope(), "", new WorkerSlot(now), now, 1);
    }

    private void awaitState(Thread.State state) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (deadlines.thread().getState() != state) {
            assertThat(System.nanoTime()).as("the watcher is %s", state).isLessThan(until);
            Thread.onSpinWait();
        }
    }

    private static Envelope envelope() {
        return Envelope.item("", 0, new Origin(0, 0, Position.START));
    }

    private static void awaitInterrupt() {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (!Thread.currentThread().isInterrupted()) {
            if (System.nanoTime() > until) {
                throw new AssertionError("no interrupt came at the deadline");
            }
            LockSupport.parkNanos(PATIENCE_NANOS);
        }
    }

    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }
}
