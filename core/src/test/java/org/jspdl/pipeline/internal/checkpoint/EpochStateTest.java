package org.jspdl.pipeline.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspdl.pipeline.internal.checkpoint.RunState.EpochState;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Sources;
import org.junit.jupiter.api.Test;

class EpochStateTest {
    private static final Position NUMBERED = Position.at(40);

    @Test
    void aSourceThatOnlyCountsReadsEverythingBeforeTheFarthestPlaceAgain() {
        assertThat(new EpochState(3, List.of(Position.START, Position.at(7)), true, NUMBERED).readAgain())
                .isEqualTo(40);
        assertThat(new EpochState(3, List.of(Position.START, Position.at(7)), false, Position.START).readAgain())
                .isEqualTo(7);
    }

    @Test
    void anEpochThatHasHardlyBegunIsNotReadAgain() {
        assertThat(new EpochState(0, List.of(Position.START), false, Position.START).readAgain())
                .isZero();
        assertThat(new EpochState(0, List.of(), true, Position.START).readAgain())
                .isZero();
        assertThat(new EpochState(0, List.of(), false, Position.START).readAgain())
                .isZero();
    }

    @Test
    void aStreamOfShardsFindsItsPlacesByWhatTheySay() throws Exception {
        ShardStream<Long> shards = ShardStream.of(List.of(Sources.range(30), Sources.range(30)));
        try (Cursor<Long> cursor = shards.open(0, Position.START)) {
            for (int i = 0; i < 40; i++) {
                cursor.advance();
                assertThat(cursor.item()).isEqualTo(i % 30);
            }
            assertThat(new EpochState(0, List.of(Position.START), true, cursor.position()).readAgain())
                    .isZero();
        }
    }
}
