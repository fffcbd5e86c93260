package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.memory.Closeables;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Workers in processes of their own, killed and added while a run goes on.
@Tag("slow")
class KilledWorkersTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int KILLS = CAMPAIGN ? 200 : 4;

    @TempDir
    static Path folder;

    @TempDir
    Path plans;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private List<WorkerProcess> workers(int count) throws IOException {
        Path plan = plans.resolve("plan.yaml");
        Files.writeString(plan, photos.plan(List.of()));
        List<WorkerProcess> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            workers.add(new WorkerProcess(plan));
        }
        return workers;
    }

    private static String plan(List<WorkerProcess> workers) {
        return photos.plan(workers.stream().map(WorkerProcess::url).toList());
    }

    @Test
    void oneToFourWorkersGiveWhatALocalRunGives() throws Exception {
        List<String> local = Photos.load(photos.plan(List.of()));
        List<WorkerProcess> workers = workers(4);
        try {
            for (WorkerProcess worker : workers) {
                worker.start();
            }
            for (WorkerProcess worker : workers) {
                worker.await();
            }
            for (int count = 1; count <= 4; count++) {
                assertThat(Photos.load(plan(workers.subList(0, count)))).isEqualTo(local);
            }
        } finally {
            Closeables.closeAll(workers);
        }
    }

    @Test
    void workersThatAreKilledAndAddedAtRandomChangeNothing() throws Exception {
        long seed = CAMPAIGN ? System.nanoTime() : 7;
        Random random = new Random(seed);
        List<String> local = Photos.load(photos.plan(List.of()));
        List<WorkerProcess> workers = workers(3);
        try {
            workers.getFirst().start(); // the others are added later
            int[] kills = {0};
            while (kills[0] < KILLS) {
                List<String> seen = Photos.load(plan(workers), PlanContext.in(Path.of("")), () -> {
                    if (random.nextInt(4) == 0 && kills[0] < KILLS) {
                        kills[0]++;
                        again(workers.get(random.nextInt(workers.size())));
                    }
                });
                assertThat(seen).as("seed %d, after %d kills", seed, kills[0]).isEqualTo(local);
            }
        } finally {
            Closeables.closeAll(workers);
        }
    }

    private static void again(WorkerProcess worker) {
        try {
            worker.close();
            worker.start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
