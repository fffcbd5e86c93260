package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jspdl.pipeline.StageOptions.cpu;
import static org.jspdl.pipeline.StageOptions.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
    private static final int ITEMS = 120;
    private static final int BATCHES = 12;

    @TempDir
    Path folder;

    private final CountDownLatch firstThree = new CountDownLatch(3);
    private final List<JsonNode> events = new ArrayList<>();
    private long before;
    private long after;

    @BeforeEach
    void traceARun() throws Exception {
        Trace trace = Trace.create();
        Watch watch = Watch.create().onInterval(trace::count);
        Pipeline<List<Long>> pipeline = Pipeline.from(Sources.range(ITEMS))
                .pipe("read", this::inThrees, io(3))
                .pipe("decode", TraceTest::slowly, cpu(2).inputOrder())
                .batch(ITEMS / BATCHES, Remainder.KEEP);
        before = System.nanoTime();
        try (Run<List<Long>> run = pipeline.start(watch.on(trace.on(RunOptions.defaults())))) {
            run.forEach(batch -> Pauses.micros(300));
        }
        after = System.nanoTime();
        Path file = folder.resolve("trace.json");
        trace.write(file);
        assertThat(trace.lost()).isZero();
        new ObjectMapper().readTree(file.toFile()).get("traceEvents").forEach(events::add);
    }

    /// All three workers get one of the first items.
    private Long inThrees(Long item) throws InterruptedException {
        firstThree.countDown();
        firstThree.await();
        return slowly(item);
    }

    private static Long slowly(Long item) {
        Pauses.micros(200);
        return item;
    }

    @Test
    void everyCallIsASliceOnTheTrackOfItsThread() {
        Map<String, Integer> counts = new HashMap<>();
        slices().forEach(slice -> counts.merge(slice.get("name").asText(), 1, Integer::sum));

        assertThat(counts)
                .containsEntry("source", ITEMS)
                .containsEntry("read", ITEMS)
                .containsEntry("decode", ITEMS)
                .containsEntry("batch(10)", BATCHES)
                .containsEntry("consumer starved", BATCHES);
        assertThat(events.stream()
                        .filter(event -> event.get("name").asText().equals("thread_name"))
                        .filter(event -> event.get("ph").asText().equals("M"))
                        .map(event -> event.get("args").get("name").asText())
                        .toList())
                .contains("consumer", "jspdl-pipeline-read-0", "jspdl-pipeline-read-1", "jspdl-pipeline-read-2")
                .anyMatch(name -> name.startsWith("jspdl-compute-"));
    }

    @Test
    void slicesOfATrackNestAndLieWithinTheRunByTheMonotonicClock() {
        Map<Integer, List<JsonNode>> tracks = new HashMap<>();
        slices().forEach(slice -> tracks.computeIfAbsent(slice.get("tid").asInt(), tid -> new ArrayList<>())
                .add(slice));

        assertThat(tracks).hasSizeGreaterThanOrEqualTo(5);
        tracks.values().forEach(this::assertThatSlicesNest);
    }

    private void assertThatSlicesNest(List<JsonNode> track) {
        track.sort(Comparator.comparingDouble(slice -> slice.get("ts").asDouble()));
        Deque<Double> ends = new ArrayDeque<>();
        for (JsonNode slice : track) {
            double start = slice.get("ts").asDouble();
            double end = start + slice.get("dur").asDouble();
            assertThat(start).isBetween(before / 1e3 - 1, after / 1e3 + 1);
            while (!ends.isEmpty() && ends.peek() <= start + 0.002) {
                ends.pop();
            }
            assertThat(ends.isEmpty() || end <= ends.peek() + 1.1)
                    .as("%s overlaps", slice)
                    .isTrue();
            ends.push(end);
        }
    }

    @Test
    void everyItemFlowsIntoItsBatchAndEveryBatchToTheConsumer() {
        Map<Long, String> flows = new HashMap<>();
        events.stream()
                .filter(event -> event.path("cat").asText().equals("item"))
                .forEach(event ->
                        flows.merge(event.get("id").asLong(), event.get("ph").asText(), String::concat));

        assertThat(flows).hasSize(ITEMS + BATCHES);
        assertThat(flows.values()).filteredOn(flow -> flow.equals("sttf")).hasSize(ITEMS);
        assertThat(flows.values()).filteredOn(flow -> flow.equals("sf")).hasSize(BATCHES);
    }

    @Test
    void everyQueueHasACounterThatIsNeverNegativeAndEndsAtZero() {
        Map<String, List<Double>> counters = new HashMap<>();
        events.stream()
                .filter(event -> event.get("ph").asText().equals("C"))
                .filter(event -> event.get("name").asText().startsWith("queue behind"))
                .forEach(event -> counters.computeIfAbsent(event.get("name").asText(), name -> new ArrayList<>())
                        .add(event.get("args").get("items").asDouble()));

        assertThat(counters)
                .containsOnlyKeys(
                        "queue behind source", "queue behind read", "queue behind decode", "queue behind batch(10)");
        assertThat(counters.values()).allSatisfy(values -> {
            assertThat(values).allMatch(value -> value >= 0);
            assertThat(values.getLast()).isZero();
        });
    }

    private List<JsonNode> slices() {
        return events.stream()
                .filter(event -> event.get("ph").asText().equals("X"))
                .toList();
    }
}
