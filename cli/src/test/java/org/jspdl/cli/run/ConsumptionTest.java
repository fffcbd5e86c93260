package org.jspdl.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.cli.terminal.ProgressLine;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.jspdl.stats.PipelineStats;
import org.junit.jupiter.api.Test;

/// What is told of a run that is interrupted exactly between two epochs.
class ConsumptionTest {
    private static final int ITEMS = 5;

    private final Terminal terminal = new Terminal(
            new PrintStream(PrintStream.nullOutputStream()), new PrintStream(PrintStream.nullOutputStream()), false);

    @Test
    void anEpochThatWasInterruptedBeforeItsFirstItemHasNoSpeed() {
        RunReport report = interruptedBehindTheFirstEpoch();

        assertThat(report.interrupted()).isTrue();
        assertThat(report.totalItems()).isEqualTo(ITEMS);
        assertThat(report.epochs()).singleElement().satisfies(epoch -> {
            assertThat(epoch.items()).isEqualTo(ITEMS);
            assertThat(epoch.itemsPerSecond()).isPositive();
        });
        String text = report.document().text();
        assertThat(text)
                .contains("Interrupted; so far: 5 items in 5 batches")
                .doesNotContainPattern("items/s +0(\\.0+)?\\b")
                .doesNotContain("warm-up"); // the only epoch is not called the first of several
    }

    private RunReport interruptedBehindTheFirstEpoch() {
        Watch watch = Watch.create();
        Consumption consumption = new Consumption();
        AtomicInteger begun = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(ITEMS)).map(item -> {
            if (begun.incrementAndGet() > ITEMS) {
                never.await(); // nothing of the second epoch comes, until the run is closed
            }
            return item;
        });
        PipelineStats stats;
        try (Run<Long> run = pipeline.start(watch.on(RunOptions.defaults().epochs(3)))) {
            stats = consumption.consume(interruptedAtTheEndOfAnEpoch(run), ProgressLine.silent(terminal));
        }
        assertThat(Thread.interrupted()).isFalse();
        return consumption.report(
                new RunReport.Subject("numbers.yaml", ITEMS, 3, Optional.empty(), "", LeftOut.NONE, ""),
                0,
                new FailureLog(),
                stats,
                watch.report(stats),
                Optional.empty());
    }

    /// `run`, whose consumer is interrupted as soon as another epoch begins.
    private static Run<?> interruptedAtTheEndOfAnEpoch(Run<?> run) {
        return (Run<?>) Proxy.newProxyInstance(
                Run.class.getClassLoader(), new Class<?>[] {Run.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(run, arguments);
                        if (method.getName().equals("nextEpoch")) {
                            Thread.currentThread().interrupt();
                        }
                        return result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
