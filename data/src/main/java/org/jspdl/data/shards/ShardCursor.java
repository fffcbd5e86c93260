package org.jspdl.data.shards;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// A pass over one shard: what all formats have in common, which is counting, and the policy for what is broken.
public abstract class ShardCursor implements Cursor<ShardSample> {
    private final ShardFile file;
    private final String shown;
    private long index;
    private boolean ended;
    private @Nullable ShardSample item;
    private @Nullable String problem;
    private long taken;

    /// @param index the number of the sample that comes next
    protected ShardCursor(ShardFile file, long index) {
        this.file = file;
        this.shown = file.shown();
        this.index = index;
    }

    /// The next sample, or nothing at the end of the shard.
    ///
    /// @param number its number in the shard
    /// @throws FormatException if the shard cannot be read from here on
    protected abstract Optional<ShardSample> read(long number) throws IOException;

    /// The number of the next sample that is wanted, `number` or one behind it; those between are passed over.
    protected long next(long number) throws IOException {
        return number;
    }

    /// The wanted fields that a sample should have and does not. Formats in which a value may be absent say none.
    protected List<String> missing(ShardSample sample) {
        return file.missing(sample.names());
    }

    /// What [#read] returns for a sample that is broken while those behind it can be read.
    protected final ShardSample broken(long number, String reason) {
        problem = reason;
        return sample(number);
    }

    /// What finds the place behind the sample that was read last again, beside its number.
    protected abstract String state();

    /// A sample of the shard that is read, without fields.
    protected final ShardSample sample(long number, String key) {
        return new ShardSample(shown, number, key);
    }

    /// The same for shards whose samples have no names.
    protected final ShardSample sample(long number) {
        return new ShardSample(shown, number);
    }

    /// The shard that is read.
    protected final ShardFile file() {
        return file;
    }

    /// Passes over samples that lie before the first one, where there is no quicker way; call it before the first
    /// [#advance].
    protected final void skip(long samples) throws IOException {
        for (long number = 0; number < samples; number++) {
            taken = 0;
            Optional<ShardSample> passed = read(number);
            passed.ifPresent(ShardSample::close);
            problem = null; // of a sample that was reported before
            if (passed.isEmpty()) {
                ended = true;
                return;
            }
        }
    }

    @Override
    public final boolean advance() throws IOException {
        item = null;
        while (!ended) {
            long number = index;
            FormatException broken;
            boolean rest = false;
            taken = 0;
            try {
                number = next(index);
                index = number;
                Optional<ShardSample> found = read(number);
                if (found.isEmpty()) {
                    ended = true;
                    return false;
                }
                ShardSample sample = found.get();
                index++;
                String wrong = problem;
                problem = null;
                List<String> missing = missing(sample);
                if (missing.isEmpty() && wrong == null) {
                    item = sample;
                    return true;
                }
                broken = FormatException.because(
                        wrong != null
                                ? wrong
                                : "'" + sample.key() + "' has no field '" + missing.getFirst() + "'"
                                        + (sample.names().isEmpty()
                                                ? ", nor another that was asked for; 'jspdl inspect' lists them"
                                                : ", only " + sample.names()));
                sample.close();
            } catch (FormatException unreadable) {
                ended = true;
                rest = true;
                broken = unreadable;
            }
            file.options().failures().broken(shown, number, rest, broken);
        }
        return false;
    }

    @Override
    public final ShardSample item() {
        if (item == null) {
            throw new IllegalStateException("there is no sample: advance() comes before each");
        }
        return item;
    }

    @Override
    public final Position position() {
        return new Position(index, ended ? "end" : state());
    }

    /// Memory for a field of `bytes`.
    ///
    /// @throws FormatException if the fields of the sample that is read come to more than a sample may have
    protected final Lease lease(long bytes) {
        taken = file.options().within(taken, bytes, "the sample");
        return file.pool().lease(bytes);
    }
}
