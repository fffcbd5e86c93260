package org.jspdl.pipeline.internal.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.internal.link.Envelope;
import org.jspdl.pipeline.internal.stage.WorkerSlot;
import org.jspdl.pipeline.resume.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class MarkBarrierStressTest {
    private static final int ROUNDS = Campaign.scale(400, 10_000);
    private static final int MARKS = 50;

    @RegisterExtension
    private final Race race = new Race();

    @Test
    void eachMarkGoesOnOnceAfterAllPartiesHaveItAndBeforeAnyGoesOn() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int parties = 1 + round % 4;
            MarkBarrier barrier = new MarkBarrier(parties);
            AtomicInteger arrived = new AtomicInteger();
            AtomicInteger forwarded = new AtomicInteger();
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < parties; i++) {
                boolean bringsEnd = i == 0;
                racers.add(() -> {
                    for (int mark = 1; mark <= MARKS; mark++) {
                        boolean last = mark == MARKS;
                        int wanted = mark * parties;
                        arrived.incrementAndGet();
                        Envelope mine = last && bringsEnd ? Envelope.end() : Envelope.epochEnd(mark);
                        Envelope all = barrier.arrive(mine, new WorkerSlot(System.nanoTime()), forward -> {
                            if (arrived.get() != wanted) {
                                throw new AssertionError(arrived + " arrivals instead of " + wanted);
                            }
                            forwarded.incrementAndGet();
                        });
                        if (forwarded.get() < mark) {
                            throw new AssertionError("a party went on before mark " + mark);
                        }
                        if (last ? all.kind != Envelope.Kind.END : all.epoch != mark) {
                            throw new AssertionError("a party went on with another mark than " + mark);
                        }
                    }
                });
            }
            race.run(racers);
            assertThat(forwarded).as("round %d", round).hasValue(MARKS);
        }
    }
}
