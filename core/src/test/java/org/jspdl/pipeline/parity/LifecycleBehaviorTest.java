package org.jspdl.pipeline.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.dedicated;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.BackgroundTask;
import org.jspdl.pipeline.Gate;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;

/// How runs begin and end.
class LifecycleBehaviorTest {
    /// A program that never closes its run, whose source has no end.
    static final class Forgetful {
        private Forgetful() {}

        static void main(String[] arguments) {
            Run<Long> run = Pipeline.from(Sources.range(Long.MAX_VALUE))
                    .pipe("work", item -> item, cpu(2).inputOrder())
                    .start();
            System.out.println(run.iterator().next());
        }
    }

    @Test
    void aProcessEndsThoughARunWasNeverClosed() {
        byte[] printed = Programs.output(
                Path.of(""),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Forgetful.class.getName()));

        assertThat(new String(printed, StandardCharsets.UTF_8)).isEqualToIgnoringNewLines("0");
    }

    @Test
    void anEndlessSourceIsReadInPieces() {
        try (Run<Long> run = Pipeline.from(Sources.range(Long.MAX_VALUE))
                .pipe("work", item -> item, cpu(2).inputOrder())
                .start()) {
            assertThat(run.stream().limit(3)).containsExactly(0L, 1L, 2L);
            assertThat(run.stream().limit(2)).containsExactly(3L, 4L);
        }
    }

    @Test
    void aFailureSurvivesACloseThatComesWhileASlowHookRuns() throws InterruptedException {
        Gate hook = new Gate();
        Run<Long> run = Pipeline.from(Sources.range(3))
                .<Long>pipe(
                        "bound",
                        item -> {
                            throw new IllegalStateException("the first cause");
                        },
                        dedicated(() -> {}, () -> hook.pass("")))
                .start();
        hook.awaitArrivals(1);
        CountDownLatch closing = new CountDownLatch(1);
        Thread opener = Thread.ofPlatform().start(() -> {
            try {
                closing.await();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            hook.open();
        });

        closing.countDown();

        assertThatThrownBy(run::close).isInstanceOf(PipelineException.class).hasMessageContaining("the first cause");
        opener.join();
    }

    @Test
    void tasksBesideARunMayEndEarlyFailOrRunOn() {
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(3);
        BackgroundTask ends = _ -> {
            ran.incrementAndGet();
            all.countDown();
        };
        BackgroundTask fails = stats -> {
            ends.run(stats);
            throw new IllegalStateException("on purpose");
        };
        BackgroundTask goesOn = stats -> {
            ends.run(stats);
            new CountDownLatch(1).await();
        };
        RunOptions options = RunOptions.defaults()
                .background("ends", ends)
                .background("fails", fails)
                .background("goes on", goesOn);

        try (Run<Long> run = Pipeline.from(Sources.range(5))
                .pipe("work", item -> waited(all, item), cpu(1))
                .start(options)) {
            assertThat(run).hasSize(5);
        }

        assertThat(ran).hasValue(3);
    }

    private static Long waited(CountDownLatch latch, Long item) throws InterruptedException {
        latch.await();
        return item;
    }
}
