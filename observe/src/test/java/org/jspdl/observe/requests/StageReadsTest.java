package org.jspdl.observe.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspdl.observe.Report;
import org.jspdl.observe.Watch;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.jspdl.stats.StageObserver.Outcome;
import org.junit.jupiter.api.Test;

class StageReadsTest {
    private final StageReads reads = StageReads.create();

    private long bytes(String stage) {
        return reads.bytes("p", stage).orElse(-1);
    }

    /// Opens an object and reads of it, as storage does.
    private long read(long bytes) {
        reads.opened().accept(bytes);
        return bytes;
    }

    private Iterator<Long> reading() {
        return LongStream.range(0, 50).map(_ -> read(1_000)).iterator();
    }

    @Test
    void eachStageHasTheBytesThatItsFunctionReadsWhereverItRuns() {
        Watch watch = Watch.create().countReads(reads);
        Pipeline<Long> pipeline = Pipeline.from(Sources.once(this::reading))
                .pipe("fetch", item -> read(item + 1), io(3))
                .pipe("open", item -> read(2), cpu(2))
                .pipe("think", item -> item, cpu(2))
                .named("p");
        try (Run<Long> run = pipeline.start(watch.on(RunOptions.defaults()))) {
            run.forEach(item -> {});

            Report report = watch.report(run.stats());
            assertThat(List.of("source", "fetch", "open", "think"))
                    .extracting(stage -> report.work(stage).readBytes())
                    .containsExactly(50_000L, 50_050L, 100L, 0L);
            assertThat(report.json()).contains("\"read_bytes\": 50050", "\"read_bytes_per_1000_items\": ");
            assertThat(report.text()).contains("Cost of 1,000 items");
        }
        assertThat(reads.bytes()).isEqualTo(50_000 + 50_050 + 100);
    }

    /// Blocks of an object are read ahead by threads of their own.
    @Test
    void threadsOfStorageReadForWhoeverOpenedTheObject() throws Exception {
        Thread source = Thread.ofPlatform().name("jspdl-p-shards-0").start(() -> {
            LongConsumer told = reads.opened();
            join(Thread.ofVirtual().name("jspdl-shard-read").start(() -> told.accept(7)));
        });
        source.join();
        reads.itemStarted("decode", "item");
        LongConsumer told = reads.opened();
        join(Thread.ofVirtual().name("jspdl-shard-read").start(() -> told.accept(5)));
        reads.itemEnded("decode", 1, Outcome.COMPLETED);

        assertThat(bytes("shards")).isEqualTo(7);
        assertThat(bytes("decode")).isEqualTo(5);
    }

    @Test
    void whatIsReadBesideFunctionsIsOfNoStage() {
        reads.itemStarted("decode", "item");
        reads.itemEnded("decode", 1, Outcome.FAILED);
        read(9);

        assertThat(bytes("decode")).isZero();
        assertThat(reads.bytes()).isEqualTo(9);
    }

    @Test
    void whatWasReadBeforeTheRunDoesNotCount() {
        reads.itemStarted("decode", "item");
        read(9);
        reads.begin();
        read(3);
        reads.itemEnded("decode", 1, Outcome.COMPLETED);

        assertThat(bytes("decode")).isEqualTo(3);
    }

    @Test
    void whereNoStorageTellsNothingIsKnown() {
        assertThat(reads.bytes("p", "decode")).isEmpty();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
