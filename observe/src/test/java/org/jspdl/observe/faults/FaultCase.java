package org.jspdl.observe.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A pipeline of two to six stages made by chance, of which one thing is wrong. Immutable.
///
/// All stages but the faulty one have at least twice the speed that it leaves, so that the fault is what counts.
///
/// @param fault      what is wrong
/// @param stages     the stages' settings, source first
/// @param faulty     the number of the faulty stage; 0 is the source
/// @param batch      how many items make a batch
/// @param batchAfter behind which stage
/// @param sink       the buffer before the consumer
/// @param consumer   the consumer's time for a batch, in microseconds
/// @param strength   how bad it is: a time in microseconds, or what the fault makes of it
record FaultCase(
        long seed,
        Fault fault,
        List<Setting> stages,
        int faulty,
        int batch,
        int batchAfter,
        int sink,
        int consumer,
        int strength) {

    /// How one stage is set up.
    ///
    /// @param computes whether it computes on compute threads, instead of waiting on virtual ones
    /// @param micros   how long a call takes
    record Setting(String name, boolean computes, int slots, boolean ordered, int buffer, int micros) {}

    /// The case of this number: faults take turns.
    static FaultCase of(long seed) {
        Random random = new Random(seed * 7919);
        Fault fault = Fault.values()[(int) Math.floorMod(seed, (long) Fault.values().length)];
        int count = 2 + random.nextInt(5);
        int strength = 3_000 + random.nextInt(4_000);
        List<Setting> stages = new ArrayList<>();
        stages.add(new Setting("source", false, 1, false, 2, 0));
        int faulty = 1 + random.nextInt(count);
        for (int i = 1; i <= count; i++) {
            boolean computes = random.nextInt(3) == 0;
            int slots = computes ? 1 + random.nextInt(2) : 1 + random.nextInt(4);
            // Of what the slots have, so that no stage comes near the faulty one.
            int micros = computes
                    ? 50 + random.nextInt(200)
                    : (int) (slots * strength * (0.05 + 0.25 * random.nextDouble()));
            stages.add(
                    new Setting("stage" + i, computes, slots, random.nextInt(3) == 0, 1 + random.nextInt(6), micros));
        }
        int batch = 1 + random.nextInt(4);
        FaultCase made = new FaultCase(
                seed, fault, stages, faulty, batch, random.nextInt(count) + 1, 1 + random.nextInt(3), 200, strength);
        return made.withFault(random);
    }

    private FaultCase withFault(Random random) {
        return switch (fault) {
            case SLOW_STAGE -> faulty(false, 1 + random.nextInt(3));
            case FEW_SLOTS -> faulty(false, 1 + random.nextInt(2));
            case HEAVY_STAGE -> faulty(true, 1);
            case THROTTLED_DISK -> faulty(true, 1 + random.nextInt(2));
            case LIMITED_STORE -> faulty(false, 1 + random.nextInt(4));
            case LONG_TAIL -> faulty(false, 1 + random.nextInt(2));
            case BUSY_MACHINE -> faulty(true, 2);
            case GARBAGE, SLOW_SOURCE, SLOW_CONSUMER, LITTLE_MEMORY -> this;
            case TINY_QUEUES -> withTinyQueues();
        };
    }

    private FaultCase faulty(boolean computes, int slots) {
        List<Setting> changed = new ArrayList<>(stages);
        Setting old = stages.get(faulty);
        changed.set(faulty, new Setting(old.name(), computes, slots, old.ordered(), old.buffer(), strength * slots));
        return new FaultCase(seed, fault, changed, faulty, batch, batchAfter, sink, consumer, strength);
    }

    /// Two or three stages in a row whose calls differ widely, each about as fast as the others, with hardly any
    /// room.
    private FaultCase withTinyQueues() {
        List<Setting> changed = new ArrayList<>(List.of(stages.getFirst()));
        for (int i = 1; i < stages.size(); i++) {
            changed.add(new Setting("stage" + i, false, 1, false, 1, strength / 2));
        }
        return new FaultCase(seed, fault, changed, 1, 1, 1, 1, consumer, strength);
    }

    @Override
    public String toString() {
        return "case " + seed + ": " + fault + " of " + strength + " us in "
                + (fault.hasStage() ? stages.get(faulty).name() : "all") + ", batches of " + batch + " after stage"
                + batchAfter + ", " + stages.subList(1, stages.size());
    }
}
