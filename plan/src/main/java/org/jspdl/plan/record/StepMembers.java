package org.jspdl.plan.record;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspdl.files.KeptFile;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// Which places of its source each step of a rank was made of: [codes][MemberCode] of 64 steps one behind the other,
/// and eight bytes that say where they begin. A block begins with the rank and the number of ranks by which places are
/// coded, since a run may go on with another number. Used by one thread.
///
/// A block may end early, where a process was killed: its other steps are not known.
final class StepMembers implements AutoCloseable {
    private static final int BLOCK = 64;

    private final FileChannel codes;
    private final FileChannel blocks;
    private final int rank;
    private final int worldSize;
    private MemberCode code;
    private long next;

    private StepMembers(FileChannel codes, FileChannel blocks, int rank, int worldSize) {
        this.codes = codes;
        this.blocks = blocks;
        this.rank = rank;
        this.worldSize = worldSize;
        this.code = new MemberCode(rank, worldSize);
    }

    /// Those of a rank in `folder`, of which the ones from the step of `run` on are done anew.
    static StepMembers from(Path folder, RunDescription run) throws IOException {
        StepMembers members = open(
                folder,
                run.rank(),
                run.worldSize(),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        try {
            members.goOnAt(run.step());
            return members;
        } catch (Throwable failure) {
            members.close();
            throw failure;
        }
    }

    private static StepMembers open(Path folder, int rank, int worldSize, StandardOpenOption... how)
            throws IOException {
        FileChannel codes = KeptFile.open(path(folder, rank), how);
        try {
            return new StepMembers(
                    codes, KeptFile.open(folder.resolve("rank-" + rank + ".blocks"), how), rank, worldSize);
        } catch (Throwable failure) {
            codes.close();
            throw failure;
        }
    }

    private static Path path(Path folder, int rank) {
        return folder.resolve("rank-" + rank + ".members");
    }

    /// What `step` was made of, if the record has it.
    ///
    /// @throws IllegalArgumentException if it is damaged
    static Optional<Members> read(Path folder, RunDescription run, long step) throws IOException {
        if (!Files.exists(path(folder, run.rank()))) {
            return Optional.empty();
        }
        try (StepMembers members = open(folder, run.rank(), run.worldSize(), StandardOpenOption.READ)) {
            List<Members> block = members.block(step / BLOCK, (int) (step % BLOCK) + 1);
            return Optional.of(block)
                    .filter(steps -> steps.size() > step % BLOCK)
                    .map(List::getLast)
                    .filter(last -> !last.places().isEmpty());
        }
    }

    /// The first `steps` steps of a block, or fewer if it ends before.
    private List<Members> block(long number, int steps) throws IOException {
        long from = begin(number);
        long bytes = Math.max(0, begin(number + 1) - from);
        codes.position(from);
        List<Members> found = new ArrayList<>();
        // not closed: the channel goes on
        InputStream block = new BufferedInputStream(new Bounded(Channels.newInputStream(codes), bytes));
        try {
            MemberCode reading = MemberCode.begun(block);
            while (found.size() < steps) {
                found.add(reading.read(block, bytes));
            }
        } catch (EOFException end) {
            return found;
        }
        return found;
    }

    /// The first bytes of a stream.
    private static final class Bounded extends FilterInputStream {
        private long left;

        Bounded(InputStream all, long bytes) {
            super(all);
            left = bytes;
        }

        @Override
        public int read() throws IOException {
            return left-- > 0 ? super.read() : -1;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            int read = left > 0 ? super.read(into, from, (int) Math.min(most, left)) : -1;
            left -= Math.max(0, read);
            return read;
        }
    }

    /// Where a block begins; the end of all if there is none.
    private long begin(long number) throws IOException {
        ByteBuffer at = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (at.hasRemaining()) {
            if (blocks.read(at, 8 * number + at.position()) < 0) {
                return codes.size();
            }
        }
        return Math.clamp(at.getLong(0), 0, codes.size());
    }

    /// Writes the steps of the last block anew, as far as they are known.
    private void goOnAt(long step) throws IOException {
        long block = step / BLOCK;
        List<Members> known = block(block, (int) (step % BLOCK));
        codes.truncate(begin(block));
        blocks.truncate(Math.multiplyExact(8, block));
        next = block * BLOCK;
        for (Members of : known) {
            write(next, of);
        }
    }

    /// Adds `step`; those before it that were not written are not known.
    void write(long step, @Nullable Members members) throws IOException {
        while (next < step) {
            add(null);
        }
        add(members);
    }

    private void add(@Nullable Members members) throws IOException {
        long end = codes.size();
        byte[] begins = new byte[0];
        if (next % BLOCK == 0) {
            code = new MemberCode(rank, worldSize);
            begins = code.begin();
            for (long block = blocks.size() / 8; block <= next / BLOCK; block++) { // none is left out
                write(
                        blocks,
                        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, end),
                        8 * block);
            }
        }
        write(codes, ByteBuffer.wrap(begins), end);
        write(codes, ByteBuffer.wrap(code.write(members)), end + begins.length);
        next++;
    }

    private static void write(FileChannel file, ByteBuffer bytes, long from) throws IOException {
        for (long at = from; bytes.hasRemaining(); ) {
            at += file.write(bytes, at);
        }
    }

    @Override
    public void close() throws IOException {
        try (codes) {
            blocks.close();
        }
    }
}
