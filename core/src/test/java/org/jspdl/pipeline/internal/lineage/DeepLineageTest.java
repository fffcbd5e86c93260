package org.jspdl.pipeline.internal.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspdl.pipeline.internal.checkpoint.NodeTable;
import org.jspdl.source.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Items within items, tens of thousands of them: far more than calls fit on a stack.
class DeepLineageTest {
    private static final int LEVELS = 50_000;

    private final Ledger ledger = new Ledger();
    private final MixProgress draws = new MixProgress("mix");
    private Lineage.Origin origin = new Lineage.Origin(0, 0, Position.START);
    private Lineage deep = origin;

    @BeforeEach
    void nest() {
        ledger.addSource(List.of(), List.of(new Ledger.SourceCursor(0, Position.START)), 0, null);
        origin = ledger.admit(0, 0, Position.at(7), Position.at(8));
        origin.number = 3;
        deep = origin;
        for (int i = 0; i < LEVELS; i++) {
            Lineage.Group group = new Lineage.Group("batch", new Lineage[] {deep});
            group.number = 3;
            Lineage drawn = new Lineage.Drawn(new Lineage.Thinned(group, List.of()), draws, i);
            deep = Objects.requireNonNull(ledger.part(ledger.split(drawn, "divide")));
        }
    }

    @Test
    void itsOriginIsKnown() {
        List<Lineage.Origin> origins = new ArrayList<>();
        deep.collect(origins::add);

        assertThat(origins).containsExactly(origin);
        assertThat(deep.first()).isSameAs(origin);
        assertThat(deep.number()).isEqualTo(3);
        assertThat(deep.origins()).isEqualTo(1);
        assertThat(deep.isOfWholeItems()).isFalse();
        assertThat(new ItemRandom(1, "stage").of(deep).nextLong())
                .isEqualTo(new ItemRandom(1, "stage").of(deep).nextLong())
                .isNotEqualTo(new ItemRandom(1, "stage").of(origin).nextLong());
    }

    @Test
    void itsTextNamesEveryLevel() {
        assertThat(deep.toString()).isEqualTo("[".repeat(LEVELS) + "0:0:7" + "]>divide#0".repeat(LEVELS));
    }

    @Test
    void aBatchOfBatchesComesFromTheDivisionsBelow() {
        Lineage.Split below = ledger.split(origin, "below");
        Lineage nested = Objects.requireNonNull(ledger.part(below));
        for (int i = 0; i < LEVELS; i++) {
            nested = new Lineage.Group("batch", new Lineage[] {nested});
        }
        List<Lineage.Split> splits = new ArrayList<>();

        nested.forEachSplit(splits::add);

        assertThat(splits).containsExactly(below);
    }

    @Test
    void itIsNumberedInATableAndFoundThere() {
        NodeTable table = new NodeTable();
        int number = LineageNodes.adding(table).number(deep);

        assertThat(number).isNotNegative();
        assertThat(LineageNodes.finding(table).number(deep)).isEqualTo(number);
        assertThat(LineageNodes.finding(new NodeTable()).number(deep)).isEqualTo(NodeTable.NONE);
    }

    @Test
    void whatIsLeftOfItIsPartOfASnapshot() {
        assertThat(ledger.snapshot(Map.of()).pending()).hasSize(1);
    }
}
