package org.jspdl.pipeline.internal.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// Loading as it is done, with costs of the size that was measured of this library: images and video of local disks,
/// images of storage far away, and pipelines that wait in more than one place; on one and on two processors.
///
/// @param seed which one, from 1
record TuningScenario(long seed) implements SimulatedWork {
    static final int MOST_IO = 64;
    private static final int MOST = 20;
    private static final int REMOTE_READS = 16;
    private static final int KINDS = 4;
    private static final long MB = 1 << 20;

    static List<TuningScenario> all() {
        return from(1);
    }

    /// As many others as there are of [#all], where they were asked for.
    static List<TuningScenario> chosen() {
        return from(Long.getLong("tuning.from", 1));
    }

    private static List<TuningScenario> from(long first) {
        return LongStream.range(first, first + MOST)
                .mapToObj(TuningScenario::new)
                .toList();
    }

    int kind() {
        return (int) (seed % KINDS);
    }

    int processors() {
        return 1 + (int) (seed / KINDS % 2);
    }

    @Override
    public int mostIo() {
        return MOST_IO;
    }

    @Override
    public SimulatedRun run() {
        SplittableRandom random = new SplittableRandom(seed);
        int processors = processors();
        List<SimulatedStage> stages = new ArrayList<>();
        stages.add(new SimulatedStage("source", "source", 1, 1, 0, 0));
        long bytes = MB / 2;
        int size = 32;
        switch (kind()) {
            case 0 -> {
                stages.add(computing("read", random, 0.0001, 0.0004));
                stages.add(computing("decode", random, 0.0008, 0.008));
            }
            case 1 -> {
                stages.add(waiting("read", processors, random, 0.002, 0.01));
                stages.add(computing("decode", random, 0.02, 0.1));
                size = 4;
                bytes = 4 * MB;
            }
            case 2 -> {
                stages.add(waiting("read", REMOTE_READS, random, 0.03, 0.15));
                stages.add(computing("decode", random, 0.001, 0.004));
            }
            default -> {
                stages.add(waiting("read", processors, random, 0.001, 0.01));
                stages.add(computing("decode", random, 0.001, 0.005));
                stages.add(waiting("label", processors, random, 0.005, 0.05));
                stages.add(computing("transform", random, 0.0005, 0.003));
                size = 16;
            }
        }
        stages.add(new SimulatedStage("batch", "inline", 1, size, 0, 0));
        SimulatedRun run = new SimulatedRun(seed, processors, stages);
        run.itemBytes = bytes;
        trainer(run, random, size);
        return run;
    }

    /// The run with a trainer that takes both processors for half of each step and needs as long for a batch as
    /// loading it takes.
    SimulatedRun trained() {
        SimulatedRun run = run();
        double work = run.stages.stream().mapToDouble(stage -> stage.work).sum() * run.stages.getLast().group;
        run.trainerThreads = 2;
        run.trainerWork = work / 2;
        run.trainerWait = run.trainerWork;
        return run;
    }

    private SimulatedStage computing(String name, SplittableRandom random, double least, double most) {
        return new SimulatedStage(name, "cpu", processors(), 1, SimulatedWork.between(random, least, most), 0);
    }

    /// Every third store serves few requests at once.
    private static SimulatedStage waiting(
            String name, int workers, SplittableRandom random, double least, double most) {
        SimulatedStage stage =
                new SimulatedStage(name, "io", workers, 1, 0.0002, SimulatedWork.between(random, least, most));
        if (random.nextInt(3) == 0) {
            stage.servers = 4 + random.nextInt(28);
        }
        return stage;
    }

    /// None, one that waits for its device, or one that takes all processors for half of each step.
    private void trainer(SimulatedRun run, SplittableRandom random, int size) {
        switch ((int) (seed % 3)) {
            case 0 -> run.trainerWait = 0.0001;
            case 1 -> run.trainerWait = size * SimulatedWork.between(random, 0.0005, 0.004);
            default -> {
                run.trainerThreads = run.processors;
                run.trainerWork = size * SimulatedWork.between(random, 0.0003, 0.002);
                run.trainerWait = run.trainerWork;
            }
        }
    }

    @Override
    public String toString() {
        return List.of("images", "video", "far", "mixed").get(kind()) + " " + seed + " " + describe();
    }
}
