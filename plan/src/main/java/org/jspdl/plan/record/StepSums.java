package org.jspdl.plan.record;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SortedSet;
import org.jspdl.files.InputFile;
import org.jspdl.files.KeptFile;

/// The [ContentSum] of each step of a rank, eight bytes at eight times its number. Used by one thread.
final class StepSums implements AutoCloseable {
    private static final int MOST_AT_ONCE = 8_192;

    private final FileChannel file;
    private final ByteBuffer sum = ByteBuffer.allocateDirect(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private StepSums(FileChannel file) {
        this.file = file;
    }

    /// Those in `folder`, of which the ones from the step of `run` on are done anew. Steps before it that the rank
    /// did not come to, because others had come further and all went on from there, are noted as such.
    ///
    /// @throws IllegalArgumentException if another recorder writes them
    static StepSums from(Path folder, RunDescription run) throws IOException {
        Path path = path(folder, run.rank());
        FileChannel file = KeptFile.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (Files.isRegularFile(path)) { // devices keep nothing
                RecordLock.take(file, folder, run.rank());
            }
            RecordedRun.requireOwn(folder, run); // what another has written before the lock was taken
            long step = run.step();
            file.truncate(Math.multiplyExact(8, step));
            StepSums sums = new StepSums(file);
            sums.lack(file.size() / 8, step, run.leftOut());
            return sums;
        } catch (Throwable failure) {
            file.close();
            throw failure;
        }
    }

    /// Notes that there are no steps from `from` to before `to` but those that the run left out.
    private void lack(long from, long to, SortedSet<Long> leftOut) throws IOException {
        ByteBuffer many = ByteBuffer.allocateDirect(
                        (int) Math.min(MOST_AT_ONCE, Math.max(0, to - from)) * 2 * Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (long at = from; at < to; ) {
            many.clear();
            for (long each = at; each < to && many.hasRemaining(); each++) {
                put(many, leftOut.contains(each) ? ContentSum.NONE : ContentSum.LACKING);
            }
            at = writeAll(many.flip(), at);
        }
    }

    private static ByteBuffer put(ByteBuffer into, ContentSum of) {
        return into.putInt(of.plain()).putInt(of.weighted());
    }

    /// Writes the sums of steps from `step` on; the first step behind them.
    private long writeAll(ByteBuffer sums, long step) throws IOException {
        long at = 8 * step;
        while (sums.hasRemaining()) {
            at += file.write(sums, at);
        }
        return at / 8;
    }

    private static Path path(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".sums");
    }

    void write(long step, ContentSum of) throws IOException {
        long _ = writeAll(put(sum.clear(), of).flip(), step);
    }

    /// Whether the rank has come to a step.
    static boolean hasSteps(Path folder, int rank) throws IOException {
        return Files.exists(path(folder, rank)) && steps(folder, rank) > 0;
    }

    /// How many steps the rank has come to.
    static long steps(Path folder, int rank) throws IOException {
        return Files.size(path(folder, rank)) / 8;
    }

    /// That of `step`; [ContentSum#NONE] where it has none.
    ///
    /// @throws IllegalArgumentException if the rank has not come to that step
    static ContentSum read(Path folder, int rank, long step) throws IOException {
        try (FileChannel file = InputFile.open(path(folder, rank))) {
            long steps = file.size() / 8;
            if (step >= steps) {
                throw new IllegalArgumentException("rank " + rank + " has no step " + step + " in " + folder
                        + ": the run has ended before that step, after " + steps);
            }
            ByteBuffer sum = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            while (sum.hasRemaining()) {
                if (file.read(sum, 8 * step + sum.position()) < 0) {
                    throw new EOFException("step " + step + " was cut off while it was read");
                }
            }
            ContentSum found = new ContentSum(sum.getInt(0), sum.getInt(4));
            if (found.equals(ContentSum.LACKING)) {
                throw new IllegalArgumentException("rank " + rank + " had no step " + step + " in " + folder
                        + ": it ended before, and went on at a later step, to which other ranks had come");
            }
            return found;
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("the record in " + folder + " lacks " + missing.getFile(), missing);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
