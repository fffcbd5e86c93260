package org.jspdl.pipeline.resume;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;

/// Starts processes over one recipe, kills them, and starts them again from their checkpoints until the epochs are
/// over.
final class KillCampaign {
    private static final int[] WORLD_SIZES = {1, 2, 3, 5};
    /// Some processes are killed while they start, most while they deliver, in milliseconds.
    private static final int LATEST_KILL = 500;

    private static final long PATIENCE_SECONDS = 120;

    private final KilledRecipe recipe;
    private final Path directory;
    private final Random random;
    private final List<List<String>> deliveries = new ArrayList<>();
    private Path generation;
    private int generations;
    private int worldSize;
    private int kills;
    private int processes;

    private KillCampaign(KilledRecipe recipe, Path directory, long seed) {
        this.recipe = recipe;
        this.directory = directory;
        this.generation = directory;
        this.random = new Random(seed);
    }

    /// What one campaign did.
    ///
    /// @param deliveries by rank and generation of ranks, what was delivered in order, as `epoch item`
    record Outcome(List<List<String>> deliveries, int kills, int processes, int generations) {}

    /// Runs to the end of the epochs, killing at most `mostKills` times.
    static Outcome run(KilledRecipe recipe, Path directory, long seed, int mostKills)
            throws IOException, InterruptedException {
        KillCampaign campaign = new KillCampaign(recipe, directory, seed);
        campaign.begin(Optional.empty());
        while (!campaign.live(campaign.kills < mostKills)) {
            campaign.changeRanks();
        }
        campaign.collect();
        return new Outcome(campaign.deliveries, campaign.kills, campaign.processes, campaign.generations);
    }

    private void begin(Optional<Checkpoint> from) throws IOException {
        generation = Files.createDirectory(directory.resolve("generation-" + generations++));
        worldSize = recipe.changesRanks() ? WORLD_SIZES[random.nextInt(WORLD_SIZES.length)] : 1;
        if (from.isPresent()) {
            Files.writeString(Killed.start(generation), "0\n" + from.get().toJson());
        }
    }

    /// Starts every rank, and kills all of them at a random moment or lets them end; true if all have ended.
    private boolean live(boolean kill) throws IOException, InterruptedException {
        List<Process> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < worldSize; rank++) {
                ranks.add(start(rank));
                processes++;
            }
            if (kill) {
                boolean whileStarting = random.nextInt(8) == 0;
                if (!whileStarting) {
                    awaitReady(ranks);
                }
                ranks.getFirst().waitFor(random.nextInt(LATEST_KILL), TimeUnit.MILLISECONDS);
            } else {
                for (Process rank : ranks) {
                    if (!rank.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                        throw new AssertionError("a process did not end within " + PATIENCE_SECONDS + " s");
                    }
                }
            }
        } finally {
            ranks.forEach(Process::destroyForcibly);
        }
        boolean allEnded = true;
        boolean killed = false;
        for (int rank = 0; rank < worldSize; rank++) {
            int status = ranks.get(rank).waitFor();
            if (status != 0 && status != 128 + 9) {
                throw new AssertionError(
                        "rank " + rank + " failed with status " + status + ": " + Files.readString(errors(rank)));
            }
            allEnded &= status == 0;
            killed |= status != 0;
        }
        kills += killed ? 1 : 0;
        return allEnded;
    }

    private static void awaitReady(List<Process> ranks) throws IOException {
        for (Process rank : ranks) {
            int first = rank.getInputStream().read();
            if (first < 0) {
                return; // it failed, which its status says
            }
        }
    }

    private Process start(int rank) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-Dcampaign=" + Campaign.isFull(),
                        "-cp",
                        home(Pipeline.class) + System.getProperty("path.separator") + home(Killed.class),
                        Killed.class.getName(),
                        generation.toString(),
                        recipe.name(),
                        Integer.toString(rank),
                        Integer.toString(worldSize),
                        Long.toString(random.nextLong()))
                .redirectError(errors(rank).toFile())
                .start();
    }

    private Path errors(int rank) {
        return generation.resolve("rank-" + rank + ".err");
    }

    private static String home(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /// Now and then deals what is left to another number of ranks, if every rank has a checkpoint.
    private void changeRanks() throws IOException {
        if (!recipe.changesRanks() || random.nextInt(3) == 0) {
            return;
        }
        List<Checkpoint> checkpoints = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            if (!Files.exists(Killed.saved(generation, rank))) {
                return;
            }
            checkpoints.add(Killed.checkpoint(Killed.saved(generation, rank)));
        }
        collect();
        begin(Optional.of(Checkpoint.combine(checkpoints)));
    }

    /// Takes what each rank of this generation delivered up to its last checkpoint.
    private void collect() throws IOException {
        for (int rank = 0; rank < worldSize; rank++) {
            byte[] log = Files.readAllBytes(Killed.log(generation, rank));
            int length = (int) Killed.length(Killed.saved(generation, rank));
            deliveries.add(new String(log, 0, length, UTF_8).lines().toList());
        }
    }
}
