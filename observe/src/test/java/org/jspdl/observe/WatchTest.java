package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.observe.requests.RequestLog;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StoppingStrategy;
import org.jspdl.source.Samplers;
import org.jspdl.source.Sources;
import org.jspdl.stats.RemoteRequest;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theIntervalsAddUpToTheRun() throws Exception {
        StringWriter lines = new StringWriter();
        CountDownLatch intervals = new CountDownLatch(4);
        Watch watch = Watch.every(Duration.ofMillis(5))
                .onInterval(JsonLines.to(lines))
                .onInterval(interval -> intervals.countDown());
        long consumed = 0;
        try (Run<List<Long>> run = WatchedPipeline.of(Long.MAX_VALUE).start(watch.on(RunOptions.defaults()))) {
            Iterator<List<Long>> batches = run.iterator();
            for (; intervals.getCount() > 0 || consumed < 3; consumed++) {
                batches.next();
            }
        }

        long delivered = 0;
        long batched = 0;
        for (String line : lines.toString().lines().toList()) {
            JsonNode interval = JSON.readTree(line);
            delivered += interval.get("batches").asLong();
            batched += interval.get("stages").get(3).get("completed").asLong();
            assertThat(interval.get("processors_used").asDouble()).isGreaterThanOrEqualTo(0);
        }
        assertThat(delivered).isEqualTo(consumed);
        assertThat(batched).isGreaterThanOrEqualTo(consumed);
        assertThat(lines.toString().lines().count()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aTaskThatEndsWithTheRunCanAwaitTheLastSample() throws Exception {
        CountDownLatch sampled = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        AtomicBoolean isWhole = new AtomicBoolean();
        Watch watch = Watch.every(Duration.ofMillis(1)).onInterval(_ -> {
            sampled.countDown();
            boolean interrupted = false;
            while (waits.getCount() > 0) { // until the other task is at its end
                try {
                    waits.await();
                } catch (InterruptedException ending) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        });
        RunOptions options = watch.on(RunOptions.defaults()).background("page", run -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException ending) {
                waits.countDown();
                watch.awaitLast();
                isWhole.set(watch.report(run.get()).stats().delivered() == 1_000);
            }
        });
        try (Run<Long> run = Pipeline.from(Sources.range(1_000)).start(options)) {
            sampled.await();
            run.forEach(_ -> {});
        }
        assertThat(isWhole).isTrue();
    }

    @Test
    void theReportHasTheWholeRunInThreeForms() throws Exception {
        Watch watch = Watch.every(Duration.ofMillis(20)).explainStalls();
        WatchedPipeline.run(watch, 200);
        Report report = watch.report();

        assertThat(report.stats().delivered()).isEqualTo(20);
        assertThat(report.stats().stage("read").completed()).isEqualTo(200);
        assertThat(report.usage().cpu()).isPositive();
        assertThat(report.usage().memory().heap()).isPositive();
        assertThat(report.text()).contains("read", "decode", "batch(10)", "consumer", "Bottleneck: ");
        JsonNode json = JSON.readTree(report.json());
        assertThat(json.get("batches").asLong()).isEqualTo(20);
        assertThat(json.get("stages")).hasSize(4);
        assertThat(json.get("queues")).hasSize(4);
        assertThat(json.get("queues").get(3).get("to").asText()).isEmpty();
        assertThat(json.get("diagnosis")).isNotEmpty();
        assertThat(json.get("series").get("heap_bytes"))
                .hasSameSizeAs(json.get("series").get("end_seconds"));
        assertThat(report.html())
                .startsWith("<!doctype html>")
                .contains("<svg", "decode")
                .doesNotContain("http://", "https://");
    }

    @Test
    void theReportSaysHowOftenEachSourceWasGoneThrough() throws Exception {
        Pipeline<Long> mixed = Pipeline.mix(1, 1, 1)
                .of(
                        StoppingStrategy.ALL_EXHAUSTED,
                        Pipeline.from(Samplers.shuffled(10, 1).repeated(3)).filter(item -> item != 4),
                        Pipeline.from(Samplers.shuffled(40, 2)));
        Watch watch = Watch.every(Duration.ofMillis(20));
        try (Run<Long> run = mixed.start(watch.on(RunOptions.defaults().epochs(2)))) {
            do {
                run.forEach(item -> {});
            } while (run.nextEpoch());
        }
        Report report = watch.report();

        JsonNode sources = JSON.readTree(report.json()).get("sources");
        assertThat(sources).hasSize(2);
        assertThat(sources.get(0).get("delivered").asLong()).isEqualTo(54);
        assertThat(sources.get(0).get("dropped").asLong()).isEqualTo(6);
        assertThat(sources.get(0).get("epochs").asDouble()).isEqualTo(6);
        assertThat(sources.get(1).get("epochs").asDouble()).isEqualTo(2);
        assertThat(report.text()).contains("Sources").containsPattern("54 +6 +6\\.00");
        assertThat(report.html()).contains("Sources");

        Watch single = Watch.every(Duration.ofMillis(20));
        WatchedPipeline.run(single, 20);
        assertThat(JSON.readTree(single.report().json()).get("sources")).hasSize(1);
        assertThat(single.report().text()).doesNotContain("Sources");
        assertThat(single.report().html()).doesNotContain("Sources");
    }

    @Test
    void whatTheFunctionsDoIsSeen() {
        Watch watch = Watch.create();
        CountDownLatch waitedFor = new CountDownLatch(1);
        AtomicBoolean computed = new AtomicBoolean();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "read",
                        item -> {
                            waitedFor.await();
                            return item;
                        },
                        io(1))
                .pipe("decode", item -> spinUntil(computed, item), cpu(1));
        try (Run<Long> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            sampled(watch, run, "read", Activity.WAITING);
            waitedFor.countDown();
            sampled(watch, run, "decode", Activity.COMPUTING);
            computed.set(true);
            run.forEach(item -> {});
        }
        Report report = watch.report();

        assertThat(report.work("read").mostly()).isEqualTo(Activity.WAITING);
        assertThat(report.work("read").place()).startsWith("WatchTest.");
        assertThat(report.work("decode").mostly()).isEqualTo(Activity.COMPUTING);
        assertThat(report.work("decode").place()).startsWith("WatchTest.");
        assertThat(report.work("decode").cpu()).isPositive();
        assertThat(report.work("source")).isEqualTo(StageWork.NONE);
    }

    /// On a busy machine a short run may be over before the watch has come to its turn: here it never does.
    @Test
    void aRunThatEndsBeforeTheFirstTurnOfTheWatchIsReportedFromItsStart() {
        Watch watch = Watch.create();
        RunOptions _ = watch.on(RunOptions.defaults());
        try (Run<Long> run = Pipeline.from(Sources.range(50))
                .pipe("think", item -> item, cpu(2))
                .start()) {
            run.forEach(item -> {});

            Report report = watch.report(run.stats());

            assertThat(report.stats().delivered()).isEqualTo(50);
            assertThat(report.stats().stages().getLast().completed()).isEqualTo(50);
            assertThat(report.steady().stats().delivered()).isEqualTo(50);
        }
    }

    /// Returns once a call of the stage was sampled a few times, mostly in the function doing `activity`: a thread
    /// that has no processor at first looks as if it did something else.
    private static void sampled(Watch watch, Run<?> run, String stage, Activity activity) {
        StageWork work;
        do {
            Thread.onSpinWait();
            work = watch.report(run.stats()).work(stage);
        } while (work.samples() < 3
                || work.mostly() != activity
                || !work.place().startsWith("WatchTest."));
    }

    private static Long spinUntil(AtomicBoolean done, Long item) {
        while (!done.get()) {
            Thread.onSpinWait();
        }
        return item;
    }

    @Test
    void theCausesOfAStallAddUpToIt() {
        Watch watch = Watch.create().explainStalls();
        WatchedPipeline.run(watch, 100);

        List<Stall> stalls = watch.report().stalls();

        assertThat(stalls)
                .isNotEmpty()
                .allSatisfy(stall -> assertThat(
                                stall.causes().stream().map(Stall.Cause::time).reduce(Duration.ZERO, Duration::plus))
                        .isEqualTo(stall.stalled()));
        assertThat(watch.lastStall()).isPresent();
    }

    @Test
    void aStallNamesTheStageThatCausedIt() {
        Watch watch = Watch.create().explainStalls();
        Thread consumer = Thread.currentThread();
        AtomicBoolean asks = new AtomicBoolean();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(1))
                .pipe(
                        "read",
                        item -> {
                            while (!asks.get() || consumer.getState() == Thread.State.RUNNABLE) {
                                Pauses.micros(100);
                            }
                            Pauses.micros(1_000);
                            return item;
                        },
                        io(1));
        try (Run<Long> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            Iterator<Long> items = run.iterator();
            asks.set(true);
            items.next();
        }

        assertThat(watch.lastStall().orElseThrow().causes()).anySatisfy(cause -> {
            assertThat(cause.stage()).isEqualTo("read");
            assertThat(cause.kind()).isEqualTo(Stall.Kind.WORKING);
            assertThat(cause.time()).isGreaterThanOrEqualTo(Duration.ofMillis(1));
            assertThat(cause.item()).as("what the item says that it is").isEqualTo("0");
            assertThat(cause).hasToString(cause.toString().replaceFirst(" in 'read'.*", " in 'read' of 0"));
        });
    }

    /// A file whose reading takes long, once the consumer waits for it.
    private static final class LateFile {
        final Thread consumer = Thread.currentThread();
        final AtomicInteger taken = new AtomicInteger();
        final long begun = System.nanoTime();

        /// Returns once the consumer has taken `before` items, asked for the next, and waited for it as long as
        /// all took before, and for 50 ms at least.
        void comesAfter(int before) {
            while (taken.get() < before || consumer.getState() == Thread.State.RUNNABLE) {
                Pauses.micros(100);
            }
            Pauses.micros(Math.max(50_000, (System.nanoTime() - begun) / 1_000));
        }
    }

    /// The work of `stage` that the consumer waited for before it got this batch.
    private static Stall.Cause cause(Watch watch, long batch, String stage) {
        Stall stall = watch.report().stalls().stream()
                .filter(each -> each.batch() == batch)
                .findFirst()
                .orElseThrow();
        return stall.causes().stream()
                .filter(each ->
                        each.kind() == Stall.Kind.WORKING && each.stage().equals(stage))
                .findFirst()
                .orElseThrow();
    }

    /// Of the many items of the run the one that came late is named, by what it says that it is.
    @Test
    void theStallNamesTheFileThatCameLate() {
        Watch watch = Watch.create().explainStalls();
        LateFile late = new LateFile();
        Pipeline<List<String>> pipeline = Pipeline.from(Sources.range(64))
                .map(number -> "s3://photos/cat/" + number + ".jpg")
                .pipe(
                        "read",
                        file -> {
                            if (file.endsWith("/37.jpg")) {
                                late.comesAfter(4);
                            }
                            return file;
                        },
                        io(2).inputOrder())
                .batch(8, Remainder.KEEP);
        try (Run<List<String>> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            for (List<String> batch : run) {
                assertThat(batch).hasSize(8);
                late.taken.incrementAndGet();
            }
        }

        Stall.Cause cause = cause(watch, 4, "read");
        assertThat(cause.time()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(cause.item()).isEqualTo("s3://photos/cat/37.jpg");
        assertThat(watch.report().text()).contains("of s3://photos/cat/37.jpg");
    }

    /// A source that waits for room is not what the consumer waits for.
    @Test
    void aStageThatHoldsItsSourceBackIsWhatTheConsumerWaitsFor() {
        Watch watch = Watch.create().explainStalls();
        Pipeline<List<String>> pipeline = Pipeline.from(Sources.range(96))
                .map(number -> "/photos/" + number + ".jpg")
                .pipe(
                        "decode",
                        file -> {
                            Pauses.micros(2_000);
                            return file;
                        },
                        io(2))
                .batch(32, Remainder.KEEP);
        try (Run<List<String>> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            for (List<String> batch : run) {
                assertThat(batch).hasSize(32);
            }
        }

        Report report = watch.report();
        assertThat(report.waited()).hasValueSatisfying(most -> {
            assertThat(most.stage()).isEqualTo("decode");
            assertThat(most.queued()).isFalse();
            assertThat(most.place()).isEqualTo("/photos/");
        });
        assertThat(report.text()).contains(" of it in 'decode' of /photos/");
        assertThat(report.stalls().stream().flatMap(stall -> stall.causes().stream()))
                .anySatisfy(cause -> {
                    assertThat(cause.kind()).isEqualTo(Stall.Kind.HELD_BACK);
                    assertThat(cause.stage()).isEqualTo("decode");
                });
    }

    @Test
    void stallsAreTimedFromTheStartOfTheRunHoweverLongBeforeTheWatchWasMade() {
        Watch watch = Watch.create().explainStalls();
        Pauses.micros(300_000);
        WatchedPipeline.run(watch, 100);

        Report report = watch.report();
        assertThat(report.stalls()).isNotEmpty();
        assertThat(report.stalls())
                .allSatisfy(stall -> assertThat(stall.at())
                        .isLessThanOrEqualTo(report.stats().elapsed()));
    }

    /// The request of the late item is told, not those of the others, which were quicker.
    @Test
    void theStallNamesTheRequestThatTookLong() {
        RequestLog requests = RequestLog.create();
        LateFile late = new LateFile();
        Watch watch = Watch.create().explainStalls(requests);
        Pipeline<String> pipeline = Pipeline.from(Sources.range(16))
                .map(number -> "s3://photos/" + number + ".jpg")
                .pipe("read", file -> asked(requests, file, late), io(2).inputOrder());
        try (Run<String> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            for (String file : run) {
                assertThat(file).startsWith("s3://");
                late.taken.incrementAndGet();
            }
        }

        Stall.Cause cause = cause(watch, 9, "read");
        assertThat(cause.request()).hasValueSatisfying(request -> {
            assertThat(request.location()).isEqualTo("s3://photos/9.jpg");
            assertThat(request.attempts()).isEqualTo(3);
        });
        assertThat(cause)
                .asString()
                .contains("in 'read' of s3://photos/9.jpg (GET bytes 0-99 took ")
                .endsWith(": 3 attempts, 20.0 ms between them, the server said 503)");
        assertThat(watch.report().text()).contains("3 attempts, 20.0 ms between them, the server said 503");
        assertThat(watch.report().json()).contains("GET bytes 0-99 of s3://photos/9.jpg took ");
    }

    private static String asked(RequestLog requests, String file, LateFile lateFile) {
        boolean late = file.endsWith("/9.jpg");
        long start = System.nanoTime();
        if (late) {
            lateFile.comesAfter(9);
        } else {
            Pauses.micros(1_200);
        }
        requests.ended(new RemoteRequest(
                "GET bytes 0-99",
                file,
                Thread.currentThread().threadId(),
                start,
                System.nanoTime(),
                late ? 3 : 1,
                Duration.ZERO,
                Duration.ofMillis(late ? 20 : 0),
                late ? "the server said 503" : ""));
        return file;
    }

    @Test
    void aReportWithoutARunSaysHowToGetOne() {
        assertThatThrownBy(Watch.create()::report).hasMessageContaining("watch.on(options)");
    }

    @Test
    void anEndedRunWithoutDeliveriesIsReportedToo() {
        Watch watch = Watch.create();
        WatchedPipeline.run(watch, 0);

        assertThat(watch.report().diagnosis().first().evidence()).contains("too few");
        assertThat(watch.report().html()).contains("not known yet");
    }
}
