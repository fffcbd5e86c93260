package org.jspdl.observe.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentWorkTest {
    private final RecentWork recent = new RecentWork();

    private void sourced(long start, long end) {
        recent.add(new Span("source", true, start, end, "", 0), 0);
    }

    private void worked(String stage, int rank, long start, long end, String item) {
        recent.add(new Span(stage, false, start, end, item, 1), rank);
    }

    private String busiest(long from, long to) {
        return recent.during(from, to).map(Span::stage).orElse("nobody");
    }

    @Test
    void whoWasAtWorkLongestIsFound() {
        for (int i = 0; i < 10; i++) {
            sourced(100L * i, 100L * i + 1);
            worked("decode", 2, 100L * i + 40, 100L * i + 50, "");
            worked("read", 1, 100L * i + 10, 100L * i + 95, "");
        }

        assertThat(busiest(0, 1_000)).isEqualTo("read");
    }

    /// Reads are always under way where a stage behind them holds them back.
    @Test
    void ofStagesThatWereAlwaysAtWorkTheLastHoldsTheOthersBack() {
        for (int i = 0; i < 10; i++) {
            worked("decode", 2, 100L * i, 100L * i + 97, "");
            worked("read", 1, 100L * i, 100L * i + 100, "");
        }

        assertThat(busiest(0, 1_000)).isEqualTo("decode");
    }

    @Test
    void aSourceThatWasBusyItselfIsNotHeldBack() {
        for (int i = 0; i < 10; i++) {
            sourced(100L * i, 100L * i + 98);
            worked("read", 1, 100L * i + 30, 100L * i + 60, "");
        }

        assertThat(recent.during(0, 1_000))
                .hasValueSatisfying(span -> assertThat(span.source()).isTrue());
    }

    /// Workers that overlap count once.
    @Test
    void manyWorkersThatWaitTogetherCountForTheTimeThatTheyTake() {
        for (int i = 0; i < 10; i++) {
            worked("read", 1, 0, 300, "");
        }
        worked("decode", 2, 100, 600, "");

        assertThat(busiest(0, 1_000)).isEqualTo("decode");
    }

    @Test
    void theLongestCallWithinTheTimeIsTold() {
        worked("read", 1, 0, 900, "before");
        worked("read", 1, 800, 950, "short");
        worked("read", 1, 850, 2_000, "long");

        assertThat(recent.during(890, 1_000).map(Span::item)).hasValue("long");
    }

    @Test
    void nobodyIsFoundInATimeWithoutWorkAndOldWorkIsForgotten() {
        worked("read", 1, 0, 100, "");
        assertThat(busiest(100, 200)).isEqualTo("nobody");
        assertThat(busiest(50, 200)).isEqualTo("read");

        for (int i = 0; i < 5_000; i++) {
            worked("decode", 2, 1_000 + i, 1_001 + i, "");
        }
        assertThat(busiest(50, 200)).isEqualTo("nobody");
        assertThat(busiest(1_100, 9_000)).isEqualTo("decode");
    }
}
