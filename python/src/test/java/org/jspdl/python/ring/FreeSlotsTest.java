package org.jspdl.python.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreeSlotsTest {
    private final AtomicLong now = new AtomicLong();
    private final FreeSlots free = new FreeSlots(8, now::get);

    /// Takes and puts back `atOnce` slots until `rounds` are over, in a time in which unneeded ones are noticed.
    private void use(int atOnce, int rounds) {
        for (int i = 0; i < rounds; i++) {
            int[] taken = IntStream.range(0, atOnce).map(n -> free.take()).toArray();
            for (int n = atOnce - 1; n >= 0; n--) {
                free.put(taken[n]);
            }
        }
        now.addAndGet(FreeSlots.NANOS);
    }

    private List<Integer> unneeded() {
        List<Integer> found = new ArrayList<>();
        for (int slot = free.takeUnneeded(); slot >= 0; slot = free.takeUnneeded()) {
            free.putUnneeded(slot, true);
            found.add(slot);
        }
        return found;
    }

    @Test
    void theLowestSlotIsTakenFirst() {
        assertThat(List.of(free.take(), free.take(), free.take())).containsExactly(0, 1, 2);
        free.put(1);
        assertThat(free.take()).isEqualTo(1);
        free.put(0);
        free.put(2);
        assertThat(List.of(free.take(), free.take(), free.take())).containsExactly(0, 2, 3);
        free.put(3);
        assertThat(free.size()).isEqualTo(5);
        assertThat(free.least()).isEqualTo(4);
    }

    @Test
    void slotsThatWereNeededOnceAreUnneededAfterAWhileInWhichFewerWere() {
        use(5, 1);
        use(2, FreeSlots.TAKEN);
        assertThat(unneeded())
                .as("the time in which five were needed is just over")
                .isEmpty();
        use(2, FreeSlots.TAKEN);
        assertThat(unneeded()).containsExactlyInAnyOrder(2, 3, 4);
        use(2, FreeSlots.TAKEN);
        assertThat(unneeded()).as("they have no memory any more").isEmpty();
        assertThat(free.size()).isEqualTo(8);

        use(5, FreeSlots.TAKEN);
        assertThat(unneeded()).as("they were needed lately").isEmpty();
        use(2, FreeSlots.TAKEN);
        assertThat(unneeded()).as("they were needed again").hasSize(3);
    }

    @Test
    void noSlotIsUnneededBeforeOthersWereTakenOftenAndForLong() {
        use(5, 1);
        use(2, FreeSlots.TAKEN / 2 - 5);
        assertThat(unneeded()).as("time, but few taken").isEmpty();
        now.addAndGet(-3 * FreeSlots.NANOS + 1);
        use(2, 5 * FreeSlots.TAKEN);
        now.addAndGet(-FreeSlots.NANOS);
        assertThat(unneeded()).as("many taken, but no time").isEmpty();
    }

    @Test
    void whatTheSystemDidNotTakeBackMayBeTriedAgain() {
        use(5, 1);
        use(2, FreeSlots.TAKEN);
        assertThat(free.takeUnneeded()).isNegative();
        use(2, FreeSlots.TAKEN);
        int slot = free.takeUnneeded();
        free.putUnneeded(slot, false);
        assertThat(free.takeUnneeded()).isEqualTo(slot);
    }

    /// Whatever is taken, put in, found unneeded and put in again: each slot is somewhere once, and none of those
    /// taken since the time before was unneeded.
    @Test
    void randomUseLosesNoSlotAndFindsNoneUnneededThatWasTakenLately() {
        Random random = new Random(5);
        Set<Integer> out = new HashSet<>();
        Set<Integer> unneeded = new HashSet<>();
        long[] lastTaken = new long[8];
        for (int step = 0; step < 100_000; step++) {
            now.addAndGet(random.nextInt(100_000_000));
            int choice = random.nextInt(10);
            if (choice < 4 && free.size() > 0 && out.size() < 1 + step / 997 % 6) {
                int slot = free.take();
                lastTaken[slot] = now.get();
                assertThat(out.add(slot)).isTrue();
            } else if (choice < 8 && !out.isEmpty()) {
                int slot = out.iterator().next();
                out.remove(slot);
                free.put(slot);
            } else if (choice == 8) {
                int slot = free.takeUnneeded();
                if (slot >= 0) {
                    assertThat(now.get() - lastTaken[slot]).isGreaterThanOrEqualTo(FreeSlots.NANOS);
                    assertThat(unneeded.add(slot)).isTrue();
                }
            } else if (!unneeded.isEmpty()) {
                int slot = unneeded.iterator().next();
                unneeded.remove(slot);
                free.putUnneeded(slot, random.nextBoolean());
            }
            assertThat(free.size() + out.size() + unneeded.size()).isEqualTo(8);
        }
    }
}
