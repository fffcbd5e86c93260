package org.jspdl.data.shards;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspdl.input.FormatException;

/// What happens to shards and samples that are broken: damaged, truncated, without a field that is wanted.
///
/// Shared by all shards of a stream, from any thread. A storage that does not answer is no broken shard: that is an
/// [java.io.IOException] always.
public final class ShardFailures {
    private final long most;
    private final Consumer<Broken> record;
    private final AtomicLong skipped = new AtomicLong();

    /// Something that was left out.
    ///
    /// @param shard  where it lies
    /// @param index  the number of the sample in the shard
    /// @param rest   whether the rest of the shard could not be read either
    /// @param reason what was wrong
    public record Broken(String shard, long index, boolean rest, String reason) {}

    private ShardFailures(long most, Consumer<Broken> record) {
        this.most = most;
        this.record = record;
    }

    /// The first failure is thrown.
    public static ShardFailures fail() {
        return new ShardFailures(0, broken -> {});
    }

    /// Up to `most` samples, or rests of shards, are left out, and each is given to `record`; the next one is
    /// thrown.
    ///
    /// The count starts with the process: a resumed run may skip as many again.
    public static ShardFailures skip(long most, Consumer<Broken> record) {
        if (most < 0) {
            throw new IllegalArgumentException("most must not be negative but was " + most);
        }
        return new ShardFailures(most, record);
    }

    /// How many were left out.
    public long skipped() {
        return skipped.get();
    }

    @Override
    public String toString() {
        return most == 0 ? "fail" : "skip " + most;
    }

    /// Records what is left out, or throws `failure` if that is not allowed.
    ///
    /// @throws FormatException the failure, with shard and sample
    public void broken(String shard, long index, boolean rest, FormatException failure) {
        if (skipped.getAndUpdate(n -> n < most ? n + 1 : n) < most) {
            record.accept(new Broken(shard, index, rest, failure.reason()));
            return;
        }
        String limit = most == 0 ? "" : " (and " + most + " were skipped before, which is the limit)";
        throw FormatException.because("sample " + index + ": " + failure.reason() + limit)
                .withSource(shard);
    }
}
