package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A random pipeline on a random machine, which can be run with any settings.
///
/// @param seed chooses it
record SimulatedCase(long seed) implements SimulatedWork {
    private static final int[] PROCESSORS = {1, 2, 2, 4, 8};
    static final int MOST_IO = 128;

    @Override
    public SimulatedRun run() {
        SplittableRandom random = new SplittableRandom(seed);
        int processors = PROCESSORS[random.nextInt(PROCESSORS.length)];
        List<SimulatedStage> stages = new ArrayList<>();
        stages.add(new SimulatedStage("source", "source", 1, 1, 0, 0));
        int functions = 1 + random.nextInt(3);
        for (int i = 0; i < functions; i++) {
            boolean waits = random.nextInt(3) == 0 || (i == 0 && random.nextBoolean());
            String name = (waits ? "io" : "cpu") + i;
            double work = waits
                    ? SimulatedWork.between(random, 0.00005, 0.0005)
                    : SimulatedWork.between(random, 0.0005, 0.01);
            double wait = waits ? SimulatedWork.between(random, 0.002, 0.1) : 0;
            SimulatedStage stage = new SimulatedStage(name, waits ? "io" : "cpu", processors, 1, work, wait);
            if (waits && random.nextInt(3) == 0) {
                stage.servers = 2 + random.nextInt(30);
            }
            stages.add(stage);
        }
        int size = 1 << random.nextInt(6);
        stages.add(new SimulatedStage("batch", "inline", 1, size, 0, 0));
        SimulatedRun run = new SimulatedRun(seed, processors, stages);
        switch (random.nextInt(4)) {
            case 0 -> run.trainerWait = size * SimulatedWork.between(random, 0.0002, 0.01);
            case 1 -> {
                run.trainerThreads = processors;
                run.trainerWork = size * SimulatedWork.between(random, 0.0002, 0.002);
                run.trainerWait = run.trainerWork;
            }
            default -> run.trainerWait = 0.0001;
        }
        return run;
    }

    @Override
    public int mostIo() {
        return MOST_IO;
    }

    @Override
    public String toString() {
        return "seed " + seed + " " + describe();
    }
}
