package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.data.image.ImageLoader;
import org.jspdl.data.image.ImageLoaderOptions;
import org.jspdl.data.image.ImagePiece;
import org.jspdl.data.image.ImageService;
import org.jspdl.data.image.ImageServiceProvider.Wanted;
import org.jspdl.data.image.ServedImages;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.Closeables;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Workers in processes of their own, killed and added while a run goes on.
@Tag("slow")
class KilledWorkersTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int KILLS = CAMPAIGN ? Integer.getInteger("kills", 200) : 3;
    /// Nothing is given up for the time that it takes.
    private static final ClientOptions ENDLESS = ClientOptions.defaults()
            .times(Duration.ofMinutes(15), Duration.ofMinutes(15), Duration.ofSeconds(1), Duration.ofSeconds(10))
            .ahead(2);

    @TempDir
    static Path folder;

    @TempDir
    Path plans;

    private static Photos photos;

    @BeforeAll
    static void makePhotos() throws Exception {
        photos = Photos.in(folder);
    }

    private List<WorkerProcess> workers(int count, String served) throws IOException {
        Path plan = plans.resolve("plan.yaml");
        Files.writeString(plan, served);
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
        List<WorkerProcess> workers = workers(4, photos.plan(List.of()));
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

    /// Kills, stops and adds workers at random moments while a run goes on, but leaves one that serves: a piece may
    /// take the time after which another is asked, and that of a piece, and nothing ends an attempt that is silent.
    @Test
    @Timeout(1200)
    void whateverHappensToWorkersARunIsTheLocalOneAndNoPieceWaitsForOneThatIsGone() throws Exception {
        long seed = CAMPAIGN ? Long.getLong("seed", System.nanoTime()) : 7;
        ImageLoaderOptions options = ImageLoaderOptions.defaults()
                .image(ImageLoaderOptions.standard(
                        ImageSpec.randomResizedCrop(64, 64).randomFlip(0.5)))
                .shuffle(5)
                .batchSize(8)
                .workers(2)
                .failures(FailurePolicy.skip(100));
        String served = photos.plan(List.of(), 64, "float32")
                .replace("color-jitter: 0.3, ", "")
                .replace("decode-image: {}", "decode-image: {}\n    name: decode")
                .replace("seed: 9", "seed: 5");
        List<WorkerProcess> workers = workers(3, served);
        try (PieceServer quick = PieceServer.start(
                        Plan.of("plan.yaml", served),
                        Operations.installed(),
                        PlanContext.in(Path.of("")),
                        ServerOptions.at(0));
                SlowWorker slow = new SlowWorker("http://127.0.0.1:" + quick.port(), 20);
                ImageLoader local = ImageLoader.open(folder.toString(), options)) {
            List<List<String>> epochs = List.of(lines(local), lines(local));
            workers.getFirst().start(); // the others are added later
            workers.getFirst().await();
            List<String> addresses = new ArrayList<>(List.of(slow.url()));
            workers.forEach(worker -> addresses.add(worker.url()));
            try (Havoc havoc = new Havoc(workers, KILLS, seed)) {
                Times times = new Times(workers);
                int runs = 0;
                long hedged = 0;
                for (; havoc.kills() < KILLS; runs++) {
                    RemotePieces pieces = RemotePieces.open(addresses, new Wanted(true, 5, 5), ENDLESS);
                    try (ImageLoader remote =
                            ImageLoader.of(ServedImages.of(new Timed(pieces, times), options), options)) {
                        assertThat(List.of(lines(remote), lines(remote)))
                                .as("seed %d, after %s", seed, havoc)
                                .isEqualTo(epochs);
                    }
                    hedged += pieces.hedged();
                }
                System.out.printf(
                        Locale.ROOT,
                        "%s (seed %d): %d runs, %s, %d second requests%n",
                        havoc,
                        seed,
                        runs,
                        times,
                        hedged);
                // A worker that is gone would be waited for 15 minutes.
                assertThat(Duration.ofNanos(times.longest())).isLessThan(Duration.ofMinutes(5));
            }
        } finally {
            Closeables.closeAll(workers);
        }
    }

    private static List<String> lines(ImageLoader loader) {
        List<String> lines = new ArrayList<>();
        for (ImageBatch batch : loader) {
            try (batch) {
                lines.add(Photos.line(0, batch));
            }
        }
        return lines;
    }

    /// The times that pieces took, and how much of each passed while one worker served without being disturbed:
    /// only that is a stall of the loader's.
    private static final class Times {
        private final List<WorkerProcess> workers;
        private final List<Long> all = new ArrayList<>();
        private final List<Long> served = new ArrayList<>();

        Times(List<WorkerProcess> workers) {
            this.workers = workers;
        }

        synchronized void add(long begun, long end) {
            all.add(end - begun);
            workers.stream()
                    .map(WorkerProcess::servingSince)
                    .flatMapToLong(OptionalLong::stream)
                    .map(since -> end - Math.max(begun, since))
                    .max()
                    .ifPresent(served::add);
        }

        synchronized long longest() {
            return Collections.max(all);
        }

        @Override
        public synchronized String toString() {
            return quantiles("pieces took", all) + "; "
                    + quantiles("of that beside a worker that served all the time", served);
        }

        private static String quantiles(String what, List<Long> nanos) {
            List<Long> sorted = nanos.stream().sorted().toList();
            return String.format(
                    Locale.ROOT,
                    "%s %.2f s at the median, %.2f s at the 99th percentile, %.2f s at most (%d)",
                    what,
                    sorted.get(sorted.size() / 2) / 1e9,
                    sorted.get(sorted.size() * 99 / 100) / 1e9,
                    sorted.getLast() / 1e9,
                    sorted.size());
        }
    }

    /// Takes down what pieces took.
    private record Timed(ImageService service, Times times) implements ImageService {
        @Override
        public Served served() {
            return service.served();
        }

        @Override
        public ImagePiece read(Places places) throws IOException, InterruptedException {
            long begun = System.nanoTime();
            ImagePiece piece = service.read(places);
            times.add(begun, System.nanoTime());
            return piece;
        }

        @Override
        public int ahead() {
            return service.ahead();
        }

        @Override
        public void close() {
            service.close();
        }
    }
}
