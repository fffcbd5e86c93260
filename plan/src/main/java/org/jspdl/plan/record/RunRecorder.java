package org.jspdl.plan.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspdl.files.FreshFile;
import org.jspdl.files.KeptFile;
import org.jspdl.json.Json;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.mixture.LiveMixture;
import org.jspecify.annotations.Nullable;

/// Writes what it takes to build any batch of a run again, and to know that it is the same: what is run, once, a
/// checkpoint every minute, what failure policies skip, and eight bytes of each item's content; where time decides what
/// comes together also what each item was made from, in one to two bytes a sample. One record for each rank, with which
/// later processes of the same run go on. Used by the thread that consumes the run.
///
/// A line is written by one call, so a killed process leaves at most the last one incomplete, which is passed over.
public final class RunRecorder implements AutoCloseable {
    /// The time between checkpoints, which bounds what is run again to find a batch.
    public static final Duration INTERVAL = Duration.ofSeconds(60);

    private final Path folder;
    private final FileChannel file;
    private final StepSums sums;
    private final @Nullable RunMembers members;
    private final @Nullable StepMembers written;
    private final @Nullable SkipQueue skips;
    private final SortedSet<Long> leftOut;
    private final long interval;
    private long step;
    private long last = System.nanoTime();
    private boolean isRefused;
    /// Where the last change of weights was made that is written.
    private @Nullable Checkpoint changed;

    private RunRecorder(
            Path folder,
            FileChannel file,
            StepSums sums,
            @Nullable RunMembers members,
            @Nullable StepMembers written,
            @Nullable SkipQueue skips,
            RunDescription run,
            Duration interval) {
        this.folder = folder;
        this.file = file;
        this.sums = sums;
        this.members = members;
        this.written = written;
        this.skips = skips;
        this.leftOut = run.leftOut();
        this.step = run.step();
        this.interval = interval.toNanos();
    }

    /// Begins a record in `folder`, which is made if need be, or goes on with it. Of a run in which time decides
    /// what comes together only what follows from a checkpoint can be built again; see [#open(Path, RunDescription,
    /// RunNotes, Duration)].
    public static RunRecorder open(Path folder, RunDescription run) throws IOException {
        return open(folder, run, INTERVAL);
    }

    /// The same with another time between checkpoints.
    public static RunRecorder open(Path folder, RunDescription run, Duration interval) throws IOException {
        return open(folder, run, RunNotes.ofData(), interval);
    }

    /// The same, which also writes what each item was made from if time decides that.
    ///
    /// @param notes that have [followed][RunNotes#follow] the run
    /// @throws IllegalArgumentException if the record there has the format of another version of JSPDL, is none,
    ///     or is of another run, and this one begins
    /// @throws IOException if it can't be written, or one of its files is a folder, a pipe or a socket
    public static RunRecorder open(Path folder, RunDescription run, RunNotes notes, Duration interval)
            throws IOException {
        Files.createDirectories(folder);
        RecordedRun.requireOwn(folder, run);
        FileChannel file = KeptFile.open(
                file(folder, run.rank()),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
        try {
            StepSums sums = StepSums.from(folder, run);
            try {
                return begun(folder, file, sums, run, notes, interval);
            } catch (Throwable failure) {
                sums.close(); // and with it the lock
                throw failure;
            }
        } catch (IOException failure) {
            file.close();
            throw FreshFile.named(file(folder, run.rank()), failure);
        } catch (Throwable failure) {
            file.close();
            throw failure;
        }
    }

    private static RunRecorder begun(
            Path folder, FileChannel file, StepSums sums, RunDescription run, RunNotes notes, Duration interval)
            throws IOException {
        RunMembers members = notes.members();
        StepMembers written = members == null ? null : StepMembers.from(folder, run);
        try {
            RunRecorder recorder = new RunRecorder(folder, file, sums, members, written, notes.skips(), run, interval);
            // what a killed process has left of a line ends here
            recorder.write((file.size() == 0 ? "" : "\n") + run.toJson());
            if (notes.skips() != null) {
                recorder.writeSkipped(List.of());
            }
            return recorder;
        } catch (Throwable failure) {
            if (written != null) {
                written.close();
            }
            throw failure;
        }
    }

    static Path file(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".jsonl");
    }

    /// Counts `item`, which `run` has delivered last and which is still open, and writes the run's checkpoint if it
    /// is time, or if the weights of a live mix have changed. A run that can't be checkpointed has its reason
    /// written, once. Takes what reading the item's memory once takes.
    ///
    /// @throws IOException if it can't be written; the run goes on if the caller does
    public void delivered(Run<?> run, Object item) throws IOException {
        try {
            record(run, item);
        } catch (IOException failure) {
            throw FreshFile.named(folder, failure);
        }
    }

    private void record(Run<?> run, Object item) throws IOException {
        while (leftOut.contains(step)) {
            step++;
        }
        writeChange(run);
        List<SkippedPlace> skipped = skips == null ? List.of() : skips.take();
        if (!skipped.isEmpty()) {
            writeSkipped(skipped); // before the first step that is without them
        }
        if (members != null && written != null) {
            written.write(step, members.last(item));
        }
        sums.write(step, ContentSum.of(item));
        step++;
        long now = System.nanoTime();
        if (isRefused || now - last < interval) {
            return;
        }
        last = now;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        try {
            Checkpoint checkpoint = run.checkpoint();
            line.put("checkpoint", checkpoint.toJson());
        } catch (IllegalStateException refused) {
            isRefused = true;
            line.put("no_checkpoint", String.valueOf(refused.getMessage()));
        }
        write(Json.write(line));
    }

    /// Writes where the weights of a live mix have changed, so that what follows is built again from there on.
    private void writeChange(Run<?> run) throws IOException {
        Checkpoint now = LiveMixture.find(run).flatMap(LiveMixture::lastChange).orElse(null);
        if (now != null && now != changed) {
            changed = now;
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("step", now.delivered());
            line.put(RecordedRun.CHANGE, true);
            line.put("checkpoint", now.toJson());
            write(Json.write(line));
        }
    }

    /// That a line is there says that all items are written which are skipped.
    private void writeSkipped(List<SkippedPlace> skipped) throws IOException {
        write(Json.write(Map.of(
                RecordedRun.SKIPPED, skipped.stream().map(SkippedPlace::toJson).toList())));
    }

    private void write(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        try (file;
                written) {
            sums.close();
        }
    }
}
