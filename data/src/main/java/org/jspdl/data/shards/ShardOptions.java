package org.jspdl.data.shards;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.input.FormatException;

/// How shards are read. Immutable.
///
/// @param columns         what is read of each sample: all fields if empty. Of a tar only those are copied, of a
///     Parquet file only those are transferred
/// @param failures        what happens to a shard or sample that is broken
/// @param readAheadBytes  how much of a remote shard is requested before it is needed, twice
/// @param largestSample   a sample of more bytes is broken, all fields together; so is a file of a format that is
///     decompressed as a whole (NPZ, Zstandard), or a page of Parquet, that comes to more
/// @param checksums       what is done about the checksums that formats leave to the reader
/// @param absent          whether a sample may lack columns, of which it then has none
/// @param where           which rows are read, of formats that can tell
public record ShardOptions(
        List<String> columns,
        ShardFailures failures,
        int readAheadBytes,
        long largestSample,
        Checksums checksums,
        boolean absent,
        Optional<RowFilter> where) {
    private static final ShardOptions DEFAULTS =
            new ShardOptions(List.of(), ShardFailures.fail(), 8 << 20, 1L << 30, Checksums.IGNORED);

    /// What is done about checksums that a format leaves to the reader, such as those of Parquet's pages; those of
    /// TFRecord are always verified.
    public enum Checksums {
        /// They are not verified.
        IGNORED,
        /// Where there is one, it must be right.
        VERIFIED
    }

    /// Checks the limits.
    public ShardOptions {
        columns = List.copyOf(columns);
        Objects.requireNonNull(failures);
        Objects.requireNonNull(where);
        Objects.requireNonNull(checksums);
        if (readAheadBytes < 1 << 16 || largestSample < 1) {
            throw new IllegalArgumentException(
                    "readAheadBytes must be at least 65536 and largestSample at least 1 but they were " + readAheadBytes
                            + " and " + largestSample);
        }
    }

    /// Options under which a sample without one of the columns is broken.
    public ShardOptions(
            List<String> columns, ShardFailures failures, int readAheadBytes, long largestSample, Checksums checksums) {
        this(columns, failures, readAheadBytes, largestSample, checksums, false);
    }

    /// Options that read all rows.
    public ShardOptions(
            List<String> columns,
            ShardFailures failures,
            int readAheadBytes,
            long largestSample,
            Checksums checksums,
            boolean absent) {
        this(columns, failures, readAheadBytes, largestSample, checksums, absent, Optional.empty());
    }

    /// All fields, the first failure ends the run, 8 MiB read ahead, samples of up to 1 GiB.
    public static ShardOptions defaults() {
        return DEFAULTS;
    }

    /// These options, reading only some fields. A sample without one of them is broken.
    public ShardOptions columns(String... names) {
        return new ShardOptions(List.of(names), failures, readAheadBytes, largestSample, checksums, false, where);
    }

    /// These options, reading only those of some fields that a sample has. Columns of Parquet and Arrow must be
    /// there.
    public ShardOptions columnsIfPresent(String... names) {
        return new ShardOptions(List.of(names), failures, readAheadBytes, largestSample, checksums, true, where);
    }

    /// These options, reading only the rows that a filter leaves. Parquet reads nothing of groups of rows whose
    /// statistics rule them out, and of others without a match only the compared columns; formats that have no
    /// filter refuse it. What is left has to be counted where [ranks match by counts][org.jspdl.source.Even#COUNT].
    public ShardOptions where(RowFilter filter) {
        return new ShardOptions(
                columns, failures, readAheadBytes, largestSample, checksums, absent, Optional.of(filter));
    }

    /// What tells the samples that are read under these options from others of the same shard, and their number;
    /// for identities.
    public String selection() {
        return columns + where.map(filter -> " where " + filter).orElse("");
    }

    /// These options with another policy for what is broken.
    public ShardOptions failures(ShardFailures policy) {
        return new ShardOptions(columns, policy, readAheadBytes, largestSample, checksums, absent, where);
    }

    /// These options with another amount of reading ahead.
    public ShardOptions readAheadBytes(int bytes) {
        return new ShardOptions(columns, failures, bytes, largestSample, checksums, absent, where);
    }

    /// These options, reading less ahead of each shard when many are read at once, 32 MiB of all together, but at
    /// least 1 MiB of each.
    public ShardOptions forInterleaved(int shards) {
        return readAheadBytes(Math.clamp((32 << 20) / shards, 1 << 20, readAheadBytes));
    }

    /// These options with another limit for a sample.
    public ShardOptions largestSample(long bytes) {
        return new ShardOptions(columns, failures, readAheadBytes, bytes, checksums, absent, where);
    }

    /// These options, verifying the checksums that shards have: a damaged page of Parquet is then an error.
    public ShardOptions verified() {
        return new ShardOptions(columns, failures, readAheadBytes, largestSample, Checksums.VERIFIED, absent, where);
    }

    /// `taken` and `more` bytes together.
    ///
    /// @param what what takes them, for the message
    /// @throws FormatException if they are more than [#largestSample]
    public long within(long taken, long more, String what) {
        if (more > largestSample - taken) {
            throw FormatException.because(String.format(
                    Locale.ROOT,
                    "%s takes %,d bytes, more than the %,d that ShardOptions.largestSample allows",
                    what,
                    taken > Long.MAX_VALUE - more ? Long.MAX_VALUE : taken + more,
                    largestSample));
        }
        return taken + more;
    }

    /// Whether a field of this name is wanted.
    public boolean wants(String name) {
        return columns.isEmpty() || columns.contains(name);
    }

    /// The wanted fields that are not among `names` and should be.
    public List<String> missing(Collection<String> names) {
        return absent
                ? List.of()
                : columns.stream().filter(column -> !names.contains(column)).toList();
    }
}
