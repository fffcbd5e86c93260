package org.jspdl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightEventsTest {
    @TempDir
    Path folder;

    @Test
    void aRecorderSeesRunsStagesLinksAndItems() throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("jspdl.Item").with("throttle", "off");
            recording.enable("jspdl.Run");
            recording.enable("jspdl.StageStatistics").with("period", "endChunk");
            recording.enable("jspdl.LinkStatistics");
            recording.start();
            Runs.deliveries(pipeline(), RunOptions.defaults());
            recording.stop();
            Path file = folder.resolve("run.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        }

        assertThat(named(events, "jspdl.Run")).singleElement().satisfies(run -> {
            assertThat(run.getString("pipeline")).isEqualTo("recorded");
            assertThat(run.getLong("delivered")).isEqualTo(8);
        });
        assertThat(named(events, "jspdl.Item"))
                .hasSize(40)
                .allSatisfy(item -> assertThat(item.getString("stage")).isEqualTo("work"))
                .extracting(item -> item.getString("item"))
                .contains("0:0:0", "0:0:39");
        assertThat(named(events, "jspdl.StageStatistics"))
                .filteredOn(stage -> stage.getString("stage").equals("work"))
                .last()
                .satisfies(stage -> assertThat(stage.getLong("completed")).isEqualTo(40));
        assertThat(named(events, "jspdl.LinkStatistics"))
                .filteredOn(link -> link.getString("to").isEmpty())
                .last()
                .satisfies(link -> assertThat(link.getLong("passed")).isEqualTo(8));
    }

    @Test
    void ofShortCallsAFewAreRecordedAndTheSlowOnesToldOf() throws Exception {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("jspdl.Item").with("throttle", "off");
            recording.enable("jspdl.SlowItem").with("throttle", "off");
            recording.start();
            Runs.deliveries(
                    Pipeline.from(Sources.range(16_000))
                            .pipe("mostly quick", FlightEventsTest::slowAtTimes, StageOptions.cpu(1)),
                    RunOptions.defaults());
            recording.stop();
            Path file = folder.resolve("quick.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        }

        assertThat(named(events, "jspdl.Item")).isNotEmpty().hasSizeLessThan(8_000);
        // By chance, or while others take the processor, one of the slow calls may be recorded like the first.
        List<RecordedEvent> told = named(events, "jspdl.SlowItem");
        assertThat(Stream.concat(told.stream(), named(events, "jspdl.Item").stream()))
                .extracting(item -> item.getString("item"))
                .contains("0:0:3000", "0:0:5000", "0:0:7000", "0:0:9000", "0:0:11000", "0:0:13000", "0:0:15000");
        assertThat(told)
                .filteredOn(item -> item.getString("item").endsWith("000"))
                .isNotEmpty()
                .allSatisfy(item -> {
                    assertThat(item.getString("stage")).isEqualTo("mostly quick");
                    assertThat(item.getDuration("took")).isGreaterThanOrEqualTo(Duration.ofMillis(10));
                });
    }

    /// Computes for 12 ms if it is its turn.
    private static long slowAtTimes(long item) {
        long start = System.nanoTime();
        while (item % 2_000 == 1_000 && item > 1_000 && System.nanoTime() - start < 12_000_000) {
            Thread.onSpinWait();
        }
        return item;
    }

    private static Pipeline<List<Long>> pipeline() {
        return Pipeline.from(Sources.range(40))
                .pipe("work", item -> item, StageOptions.cpu(2))
                .batch(5, Remainder.KEEP)
                .named("recorded");
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
