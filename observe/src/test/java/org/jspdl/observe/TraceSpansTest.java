package org.jspdl.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.pipeline.StageOptions.io;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spans and counters of the program's own.
class TraceSpansTest {
    @TempDir
    Path folder;

    private List<JsonNode> events(Trace trace, String phase, String name) throws IOException {
        Path file = folder.resolve("trace.json");
        trace.write(file);
        JsonNode all = new ObjectMapper().readTree(file.toFile()).get("traceEvents");
        return StreamSupport.stream(all.spliterator(), false)
                .filter(event -> event.get("ph").asText().equals(phase)
                        && event.get("name").asText().equals(name))
                .toList();
    }

    @Test
    void aSpanInAStageLiesWithinItsCallOnTheSameTrack() throws Exception {
        Trace trace = Trace.create();
        Pipeline<Long> pipeline = Pipeline.from(Sources.range(10))
                .pipe(
                        "decode",
                        item -> {
                            try (Trace.Span _ = trace.span("augment")) {
                                return item + 1;
                            }
                        },
                        io(1));
        try (Run<Long> run = pipeline.start(trace.on(RunOptions.defaults()))) {
            run.forEach(item -> {});
        }

        List<JsonNode> calls = events(trace, "X", "decode");
        List<JsonNode> spans = events(trace, "X", "augment");
        assertThat(spans).hasSize(10);
        for (int i = 0; i < 10; i++) {
            double start = spans.get(i).get("ts").asDouble();
            double end = start + spans.get(i).get("dur").asDouble();
            double callStart = calls.get(i).get("ts").asDouble();
            assertThat(start).isGreaterThanOrEqualTo(callStart - 0.001);
            assertThat(end)
                    .isLessThanOrEqualTo(callStart + calls.get(i).get("dur").asDouble() + 0.001);
            assertThat(spans.get(i).get("tid")).isEqualTo(calls.get(i).get("tid"));
        }
    }

    @Test
    void aCounterHasItsValuesInOrder() throws Exception {
        Trace trace = Trace.create();

        trace.counter("loss", 2.5);
        trace.counter("loss", 1.25);

        assertThat(events(trace, "C", "loss"))
                .extracting(event -> event.get("args").get("value").asDouble())
                .containsExactly(2.5, 1.25);
    }

    @Test
    void whatIsBeyondTheLimitIsCounted() throws Exception {
        Trace trace = Trace.upTo(2);
        for (int i = 0; i < 3; i++) {
            trace.span("step").close();
            trace.counter("loss", i);
        }

        assertThat(trace.lost()).isEqualTo(4);
        assertThat(events(trace, "X", "step")).hasSize(1);
    }

    @Test
    void aSpanIsClosedOnceAndByItsOwnThread() throws Exception {
        Trace trace = Trace.create();
        Trace.Span span = trace.span("step");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                span.close();
            } catch (IllegalStateException wrong) {
                thrown.set(wrong);
            }
        });
        other.join();
        assertThat(thrown.get()).hasMessageContaining("span 'step' was begun by thread");

        span.close();
        span.close();

        assertThat(events(trace, "X", "step")).hasSize(1);
    }

    @Test
    void whatTheFileCouldNotHoldIsRefused() {
        Trace trace = Trace.create();

        assertThatThrownBy(() -> trace.counter("loss", Double.NaN)).hasMessageContaining("'loss' of NaN");
        assertThatThrownBy(() -> trace.span(" ")).hasMessageContaining("a span needs a name");
    }
}
