package org.jspdl.pipeline.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.internal.Race;
import org.jspdl.pipeline.resume.Campaign;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class FailureBudgetStressTest {
    private static final int ROUNDS = Campaign.scale(1_500, 40_000);
    private static final int THREADS = 3;
    private static final int CALLS = 40;

    @RegisterExtension
    private final Race race = new Race();

    @Test
    void everyFailureBeyondTheAllowedNumberIsNoticed() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            int allowed = round % (THREADS * CALLS);
            FailureBudget budget = new FailureBudget(FailurePolicy.skip(allowed));
            AtomicInteger told = new AtomicInteger();
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                racers.add(() -> {
                    for (int call = 0; call < CALLS; call++) {
                        told.addAndGet(budget.failed() ? 1 : 0);
                    }
                });
            }
            race.run(racers);
            assertThat(told).as("allowed %d", allowed).hasValue(THREADS * CALLS - allowed);
        }
    }

    /// The last calls of the probation come together: whichever counts last must see what the others have counted.
    @Test
    void aRateThatIsExceededAtTheEndOfTheProbationIsNoticed() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(round);
            boolean[] fails = new boolean[THREADS];
            int failures = 0;
            for (int i = 0; i < THREADS; i++) {
                fails[i] = random.nextBoolean();
                failures += fails[i] ? 1 : 0;
            }
            // One failure more than the rate allows, of 100 calls.
            FailureBudget budget = new FailureBudget(FailurePolicy.skipRate((failures + 0.5) / 100));
            assertThat(budget.failed()).isFalse();
            for (int call = 1; call < 100 - THREADS; call++) {
                assertThat(budget.succeeded()).isFalse();
            }
            AtomicInteger told = new AtomicInteger();
            List<Race.Racer> racers = new ArrayList<>();
            for (boolean fail : fails) {
                racers.add(() -> told.addAndGet((fail ? budget.failed() : budget.succeeded()) ? 1 : 0));
            }
            race.run(racers);
            assertThat(told.get()).as("round %d, %d failures", round, failures).isPositive();
        }
    }
}
