package org.jspdl.pipeline.internal.lineage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.lineage.Lineage.Origin;
import org.jspdl.pipeline.internal.lineage.Lineage.Split;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class LedgerStressTest {
    private static final int ROUNDS = Campaign.scale(500, 20_000);
    private static final int ITEMS = 60;
    private static final int SETTLERS = 2;

    @RegisterExtension
    private final Race race = new Race();

    /// One round: items are admitted, some are divided, and parts and items are settled by any thread.
    private static final class Round {
        final Ledger ledger = new Ledger();
        final LinkedBlockingQueue<Lineage> queue = new LinkedBlockingQueue<>();
        final AtomicInteger unsettled = new AtomicInteger();
        /// Parts that are left of an item, by its place.
        final Map<Long, AtomicInteger> left = new ConcurrentHashMap<>();
        /// Places of which the last part is being settled, and of which it is.
        final Set<Long> settling = ConcurrentHashMap.newKeySet();
        final Set<Long> settled = ConcurrentHashMap.newKeySet();
        final Random random;

        Round(long seed) {
            random = new Random(seed);
            ledger.addSource(List.of(), List.of(new Ledger.SourceCursor(0, Position.START)), 0, null);
            unsettled.set(1);
        }

        void admit() {
            for (long index = 0; index < ITEMS; index++) {
                int parts = random.nextInt(4);
                left.put(index, new AtomicInteger(Math.max(1, parts)));
                Origin origin = ledger.admit(0, 0, Position.at(index), Position.at(index + 1));
                if (parts == 0) {
                    unsettled.incrementAndGet();
                    queue.add(origin);
                    continue;
                }
                Split split = ledger.split(origin, "parts");
                for (int part = 0; part < parts; part++) {
                    unsettled.incrementAndGet();
                    queue.add(ledger.part(split));
                }
                ledger.end(split, null);
            }
            unsettled.decrementAndGet();
        }

        void settle() throws InterruptedException {
            while (unsettled.get() > 0) {
                Lineage next = queue.poll(1, TimeUnit.MILLISECONDS);
                if (next == null) {
                    continue;
                }
                long place = next.first().position.index();
                if (left.get(place).decrementAndGet() == 0) {
                    settling.add(place);
                }
                ledger.settle(next);
                if (left.get(place).get() == 0 && settling.contains(place) && isGone(place)) {
                    settled.add(place);
                }
                unsettled.decrementAndGet();
            }
        }

        /// Whether the item's last part was settled by now; another thread may be about to settle it.
        private boolean isGone(long place) {
            return ledger.snapshot(Map.of()).pending().stream()
                    .noneMatch(pending -> pending.position().index() == place);
        }

        /// What a checkpoint would hold: each place below the next is pending or was about to be settled, and
        /// none that was settled before is pending.
        void look() {
            while (unsettled.get() > 0) {
                Set<Long> before = new HashSet<>(settled);
                Ledger.Snapshot snapshot = ledger.snapshot(Map.of());
                Set<Long> pending = new HashSet<>();
                snapshot.pending().forEach(place -> pending.add(place.position().index()));
                long next = snapshot.cursors().getFirst().getFirst().next().index();
                assertThat(Collections.disjoint(pending, before)).isTrue();
                for (long place = 0; place < next; place++) {
                    if (!pending.contains(place) && !settling.contains(place)) {
                        throw new AssertionError("place " + place + " below " + next + " is lost");
                    }
                }
            }
        }
    }

    @Test
    void everySnapshotHoldsExactlyWhatIsNotSettled() throws InterruptedException {
        for (int number = 0; number < ROUNDS; number++) {
            Round round = new Round(number);
            List<Race.Racer> racers = new ArrayList<>(List.of(round::admit, round::look));
            for (int i = 0; i < SETTLERS; i++) {
                racers.add(round::settle);
            }
            race.run(racers);
            assertThat(round.ledger.inFlight()).as("round %d", number).isZero();
            assertThat(round.ledger.snapshot(Map.of()).pending()).isEmpty();
            assertThat(round.ledger.snapshot(Map.of()).partly()).isEmpty();
        }
    }
}
