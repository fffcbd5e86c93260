package org.jspdl.leakcheck;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Test classes that leak in one way each; LeakCheckTest runs them, the build does not.
final class Samples {
    /// Holds the sample threads until the test that ran a sample lets them go.
    static CountDownLatch release = new CountDownLatch(1);

    private Samples() {}

    static void hold() {
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns once a thread that holds waits, however long it takes to get a processor.
    static void awaitHolding(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @ExtendWith(LeakCheck.class)
    static class PlatformThread {
        @Test
        void leaves() {
            awaitHolding(Thread.ofPlatform().name("jspdl-sample").daemon().start(Samples::hold));
        }
    }

    @ExtendWith(LeakCheck.class)
    static class VirtualThread {
        @Test
        void leaves() {
            awaitHolding(Thread.ofVirtual().name("jspdl-virtual").start(Samples::hold));
        }
    }

    @ExtendWith(LeakCheck.class)
    static class VirtualThreadOfAnExecutor {
        @Test
        @SuppressWarnings("resource") // the leak is the point
        void leaves() {
            ExecutorService executor = Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("jspdl-task-", 0).factory());
            executor.execute(Samples::hold);
        }
    }

    @ExtendWith(LeakCheck.class)
    static class ForeignThread {
        @Test
        void leaves() {
            Thread.ofPlatform().name("somebody-else").daemon().start(Samples::hold);
        }
    }

    @ExtendWith(LeakCheck.class)
    static class EndingThread {
        @Test
        void leavesAThreadThatIsAboutToEnd() {
            Thread first = Thread.ofPlatform()
                    .name("jspdl-first")
                    .unstarted(() -> Thread.ofVirtual().name("jspdl-second").start(Thread::yield));
            first.start();
        }
    }

    @ExtendWith(LeakCheck.class)
    static class ProbedResource {
        @Test
        void leaves() {
            ShelfProbe.SHELF.add("a book of 64 bytes");
        }
    }

    @ExtendWith(LeakCheck.class)
    static class SharedByTheClass {
        @BeforeAll
        static void open() {
            ShelfProbe.SHELF.add("shared");
        }

        @Test
        void uses() {}

        @AfterAll
        static void close() {
            ShelfProbe.SHELF.remove("shared");
        }
    }

    @ExtendWith(LeakCheck.class)
    static class ForgottenByTheClass {
        @BeforeAll
        static void open() {
            ShelfProbe.SHELF.add("forgotten");
        }

        @Test
        void uses() {}
    }

    @ExtendWith(LeakCheck.class)
    static class AlreadyFailing {
        @BeforeEach
        void open() {
            ShelfProbe.SHELF.add("left by a failing test");
        }

        @Test
        void fails() {
            fail("the first failure");
        }
    }

    static class WithoutTheAnnotation {
        @Test
        void leaves() {
            ShelfProbe.SHELF.add("found by detection");
        }
    }
}
