package org.jspdl.pipeline.resume;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;

/// The process that is killed: appends each item it is delivered to a log and now and then writes a checkpoint durably.
///
/// A checkpoint file holds the length of the log that belongs to it, and then the checkpoint. What the log has beyond
/// it was delivered after the checkpoint and is cut off by the next process.
final class Killed {
    private final Path log;
    private final Path saved;

    private Killed(Path log, Path saved) {
        this.log = log;
        this.saved = saved;
    }

    /// The log of a rank.
    static Path log(Path directory, int rank) {
        return directory.resolve("rank-" + rank + ".log");
    }

    /// The last checkpoint of a rank.
    static Path saved(Path directory, int rank) {
        return directory.resolve("rank-" + rank + ".checkpoint");
    }

    /// What all ranks begin with that have no checkpoint of their own.
    static Path start(Path directory) {
        return directory.resolve("start.checkpoint");
    }

    /// Runs until the end or until it is killed.
    ///
    /// @param args the directory, the recipe, the rank, the number of ranks and a seed
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        int rank = Integer.parseInt(args[2]);
        long seed = Long.parseLong(args[4]);
        new Killed(log(directory, rank), saved(directory, rank))
                .run(
                        start(directory),
                        KilledRecipe.valueOf(args[1]).share(rank, Integer.parseInt(args[3]), new Tuning(seed))::start,
                        new Random(seed));
    }

    private interface Starter {
        Run<String> start(RunOptions options);
    }

    private void run(Path start, Starter pipeline, Random random) throws IOException {
        RunOptions options = RunOptions.defaults().epochs(KilledRecipe.EPOCHS).computeThreads(2);
        long length = 0;
        if (Files.exists(saved)) {
            length = length(saved);
            options = options.resumeFrom(checkpoint(saved));
        } else if (Files.exists(start)) {
            options = options.resumeFrom(checkpoint(start));
        }
        try (FileChannel out = FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                Run<String> run = pipeline.start(options)) {
            out.truncate(length).position(length);
            System.out.println("ready");
            int left = random.nextInt(300);
            while (run.epoch() < KilledRecipe.EPOCHS) {
                for (String item : run) {
                    out.write(ByteBuffer.wrap((run.epoch() + " " + item + "\n").getBytes(UTF_8)));
                    if (--left < 0) {
                        save(out, run.checkpoint());
                        left = random.nextInt(300);
                    }
                }
                if (!run.nextEpoch()) {
                    break;
                }
            }
            save(out, run.checkpoint());
        }
    }

    private void save(FileChannel out, Checkpoint checkpoint) throws IOException {
        out.force(false);
        Path fresh = saved.resolveSibling(saved.getFileName() + ".new");
        try (FileChannel file = FileChannel.open(
                fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap((out.position() + "\n" + checkpoint.toJson()).getBytes(UTF_8)));
            file.force(true);
        }
        Files.move(fresh, saved, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(saved.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /// How much of the log belongs to a checkpoint, in bytes.
    static long length(Path saved) throws IOException {
        String text = Files.readString(saved);
        return Long.parseLong(text.substring(0, text.indexOf('\n')));
    }

    static Checkpoint checkpoint(Path saved) throws IOException {
        String text = Files.readString(saved);
        return Checkpoint.parse(text.substring(text.indexOf('\n') + 1));
    }
}
