package org.jspdl.plan.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepMembersTest {
    @TempDir
    Path folder;

    private RunDescription run(int rank, int worldSize, long step) {
        return new RunDescription(
                "plan",
                "",
                folder,
                rank,
                worldSize,
                0,
                Map.of(),
                List.of(),
                Instant.EPOCH,
                new TreeSet<>(),
                Map.of(),
                step,
                Optional.empty());
    }

    private void write(RunDescription run, List<@Nullable Members> steps) throws Exception {
        try (StepMembers members = StepMembers.from(folder, run)) {
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i) != null) {
                    members.write(run.step() + i, steps.get(i));
                }
            }
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyMembersOfAnyRankAreReadAsTheyWereWrittenWhereverTheRunWasResumed(long seed) throws Exception {
        Random random = new Random(seed);
        int worldSize = 1 + random.nextInt(9);
        int rank = random.nextInt(worldSize);
        List<@Nullable Members> all = new ArrayList<>();
        for (int step = random.nextInt(300); step > 0; step--) {
            boolean own = random.nextInt(4) > 0;
            int sources = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
            List<SourcePlace> places = LongStream.generate(
                            () -> own ? rank + worldSize * random.nextLong(1L << 40) : random.nextLong(1L << 50))
                    .limit(1 + random.nextInt(20))
                    .mapToObj(place -> new SourcePlace(random.nextInt(sources), place))
                    .toList();
            all.add(random.nextInt(10) == 0 ? null : new Members(random.nextInt(3), places));
        }
        int step = 0;
        while (step < all.size()) {
            int ahead = Math.min(all.size(), step + 1 + random.nextInt(150));
            write(run(rank, worldSize, step), all.subList(step, ahead));
            step += 1 + random.nextInt(ahead - step);
        }
        write(run(rank, worldSize, step), List.of());

        for (int i = 0; i < all.size(); i++) {
            assertThat(StepMembers.read(folder, run(rank, worldSize, 0), i))
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(Optional.ofNullable(all.get(i)));
        }
        assertThat(StepMembers.read(folder, run(rank, worldSize, 0), all.size()))
                .isEmpty();
    }

    /// 16 workers, of which some items take a hundred times as long, put batches of 256 together.
    @Test
    void aSampleTakesLittleMoreThanAByteWhereSomeAreAHundredTimesSlower() throws Exception {
        Random random = new Random(1);
        PriorityQueue<double[]> working = new PriorityQueue<>((one, other) -> Double.compare(one[0], other[0]));
        List<Members> steps = new ArrayList<>();
        List<SourcePlace> batch = new ArrayList<>();
        int samples = 256 * 400;
        double now = 0;
        for (long next = 0; next < samples || !working.isEmpty(); ) {
            while (working.size() < 16 && next < samples) {
                double time = (random.nextInt(100) == 0 ? 100 : 1) * (0.5 + random.nextDouble());
                working.add(new double[] {now + time, 3 + 8 * next++});
            }
            double[] done = working.remove();
            now = done[0];
            batch.add(new SourcePlace(0, (long) done[1]));
            if (batch.size() == 256) {
                steps.add(new Members(0, List.copyOf(batch)));
                batch.clear();
            }
        }
        write(run(3, 8, 0), List.copyOf(steps));

        double bytes = Files.size(folder.resolve("rank-3.members")) + Files.size(folder.resolve("rank-3.blocks"));
        System.out.printf("members of batches: %.2f bytes a sample%n", bytes / samples);
        assertThat(bytes / samples).isLessThan(1.5);
    }
}
