package org.jspdl.pipeline.internal.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspdl.source.Position;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger();

    @BeforeEach
    void addASource() {
        ledger.addSource(List.of(), List.of(new Ledger.SourceCursor(0, Position.START)), 0, null);
    }

    private Lineage.Origin admit(long index) {
        return ledger.admit(0, 0, Position.at(index), Position.at(index + 1));
    }

    @Test
    void anItemIsInFlightUntilItIsSettled() {
        Lineage.Origin one = admit(0);
        Lineage.Origin two = admit(1);
        assertThat(ledger.inFlight()).isEqualTo(2);

        ledger.settle(two);
        ledger.settle(one);

        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void settlingTwiceIsAnErrorOfTheEngine() {
        Lineage.Origin one = admit(0);
        ledger.settle(one);

        assertThatThrownBy(() -> ledger.settle(one))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("settled twice");
    }

    @Test
    void aGroupSettlesItsMembers() {
        Lineage group = new Lineage.Group("batch", new Lineage[] {admit(0), admit(1)});

        ledger.settle(group);

        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void aDividedItemIsSettledWithItsLastPartAndItsEnd() {
        Lineage.Split split = ledger.split(admit(0), "clips");
        Lineage one = Objects.requireNonNull(ledger.part(split));
        Lineage two = Objects.requireNonNull(ledger.part(split));
        ledger.settle(two);
        ledger.end(split, null);
        assertThat(ledger.inFlight()).isEqualTo(1);

        ledger.settle(one);

        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void aDividedItemWithoutPartsIsSettledAtItsEnd() {
        ledger.end(ledger.split(admit(0), "clips"), null);

        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void partsOfAGroupSettleItsMembersTogether() {
        Lineage group = new Lineage.Group("batch", new Lineage[] {admit(0), admit(1), admit(2)});
        Lineage.Split split = ledger.split(group, "unbatch");
        List<Lineage> parts =
                List.of(Objects.requireNonNull(ledger.part(split)), Objects.requireNonNull(ledger.part(split)));
        ledger.end(split, null);
        ledger.settle(parts.getFirst());
        assertThat(ledger.inFlight()).isEqualTo(3);

        ledger.settle(parts.getLast());

        assertThat(ledger.inFlight()).isZero();
    }

    @Test
    void aHundredThousandGroupsWithinEachOtherAreSettledAndCollected() {
        Lineage nested = admit(0);
        for (int i = 0; i < 100_000; i++) {
            nested = i % 3 == 0 ? onlyPart(nested) : new Lineage.Group("batch", new Lineage[] {nested});
        }
        List<Lineage.Origin> origins = new ArrayList<>();
        nested.collect(origins::add);
        assertThat(origins).hasSize(1);
        assertThat(nested.first()).isSameAs(origins.getFirst());

        ledger.settle(nested);

        assertThat(ledger.inFlight()).isZero();
    }

    private Lineage onlyPart(Lineage parent) {
        Lineage.Split split = ledger.split(parent, "clips");
        Lineage part = Objects.requireNonNull(ledger.part(split));
        ledger.end(split, null);
        return part;
    }
}
