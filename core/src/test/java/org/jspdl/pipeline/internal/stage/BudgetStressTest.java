package org.jspdl.pipeline.internal.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.lineage.Ledger;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.resume.Campaign;
import org.jspdl.source.Position;
import org.jspdl.stats.BudgetStats;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class BudgetStressTest {
    private static final int ROUNDS = Campaign.scale(800, 20_000);
    private static final int ITEMS = 60;
    private static final int ESTIMATE = 100;

    @RegisterExtension
    private final Race race = new Race();

    /// One round: producers admit, consumers deliver what they have gathered.
    private static final class Round {
        final Ledger ledger = new Ledger();
        final Budget budget;
        final LinkedBlockingQueue<Envelope> queue = new LinkedBlockingQueue<>();
        final AtomicInteger admitted = new AtomicInteger();
        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger delivered = new AtomicInteger();

        Round(int itemsAtOnce) {
            budget = new Budget(new ByteBudget((long) itemsAtOnce * ESTIMATE, ESTIMATE));
            budget.addSource(Long.MAX_VALUE);
            ledger.addSource(List.of(), List.of(new Ledger.SourceCursor(0, Position.START)), 0, null);
        }

        void produce() throws InterruptedException {
            for (int index = admitted.getAndIncrement(); index < ITEMS; index = admitted.getAndIncrement()) {
                long estimate = budget.admit(0, 0, new WorkerSlot(System.nanoTime(), budget.rule()), () -> false);
                Envelope item = Envelope.item("", 0, ledger.admit(0, 0, Position.at(index), Position.at(index + 1)));
                item.bytes = estimate;
                queue.add(item);
            }
        }

        /// Delivers groups of `size`, whose members wait for each other.
        void consume(int size, Random random) throws InterruptedException {
            List<Envelope> members = new ArrayList<>();
            while (taken.getAndIncrement() < ITEMS) {
                Envelope item = queue.take();
                budget.weigh(item, random.nextInt(1, ESTIMATE + 1));
                members.add(item);
                if (members.size() == size) {
                    deliver(members);
                }
            }
            deliver(members);
        }

        private void deliver(List<Envelope> members) {
            for (Envelope member : members) {
                ledger.settle(member.lineage);
                budget.release(member);
                delivered.incrementAndGet();
            }
            members.clear();
        }
    }

    @Test
    void everyItemIsAdmittedAndTheLimitIsKept() throws InterruptedException {
        for (int number = 0; number < ROUNDS; number++) {
            Random random = new Random(number);
            int consumers = 1 + random.nextInt(2);
            int size = 1 + random.nextInt(5);
            // Each consumer may hold a group that lacks one member.
            Round round = new Round(1 + consumers * (size - 1));
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                racers.add(round::produce);
            }
            for (int i = consumers; i > 0; i--) {
                Random weights = new Random(random.nextLong());
                racers.add(() -> round.consume(size, weights));
            }
            race.run(racers);
            BudgetStats stats = round.budget.stats();
            assertThat(round.delivered).as("round %d", number).hasValue(ITEMS);
            assertThat(stats.usedBytes()).as("round %d", number).isZero();
            assertThat(stats.peakBytes()).as("round %d", number).isLessThanOrEqualTo(stats.limitBytes());
            assertThat(stats.admittedBeyond()).as("round %d", number).isZero();
        }
    }
}
