package org.jspdl.data.shards.pack;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.storage.Location;
import org.jspdl.pipeline.FailurePolicy;

/// How shards are written. Immutable.
///
/// @param folder   where they are written; made if need be
/// @param to       where they lie when they are complete: that folder, or one in other storage
/// @param prefix   what their names begin with
/// @param samples  a shard has no more samples
/// @param bytes    a shard is no larger, unless a single sample is
/// @param writers  samples that are written at once
/// @param naming   what samples are called
/// @param failures what happens when a sample cannot be read
/// @param format   what shards are; empty for tar files, each with an index
/// @param classes  the names of the classes, for formats that have a place for them
/// @param range    what `samples` counts, and whether shards are cut by size
public record PackSettings(
        Path folder,
        Location to,
        String prefix,
        long samples,
        long bytes,
        int writers,
        Naming naming,
        FailurePolicy failures,
        Optional<PackFormat> format,
        List<String> classes,
        Range range) {
    /// What a shard holds.
    public enum Range {
        /// Up to [#samples] samples and [#bytes].
        OUTPUT,
        /// What came of a range of [#samples] places of the input, whichever of them were left out and however
        /// many bytes that is: a shard is known before those in front of it are written. A range of which
        /// nothing came has no shard.
        INPUT
    }

    /// Shards of up to `samples` samples and `bytes`.
    public PackSettings(
            Path folder,
            Location to,
            String prefix,
            long samples,
            long bytes,
            int writers,
            Naming naming,
            FailurePolicy failures,
            Optional<PackFormat> format,
            List<String> classes) {
        this(folder, to, prefix, samples, bytes, writers, naming, failures, format, classes, Range.OUTPUT);
    }

    /// What samples are called in the shards.
    public enum Naming {
        /// As in the shard they come from; by number if they have no name.
        KEEP,
        /// By their number in the whole pack.
        NUMBER
    }

    /// Checks the limits.
    public PackSettings {
        Location.requireLocal(folder);
        classes = List.copyOf(classes);
        if (samples < 1 || bytes < 1 || writers < 1) {
            throw new IllegalArgumentException("samples, bytes and writers must be at least 1 but were " + samples
                    + ", " + bytes + " and " + writers);
        }
        if (format.isPresent() && bytes > format.get().largestShard()) {
            throw new IllegalArgumentException("shards of " + format.get().name() + " hold at most "
                    + format.get().largestShard() + " bytes but were to have " + bytes);
        }
        if (prefix.isEmpty() || prefix.indexOf('/') >= 0 || prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "the prefix must be the beginning of a file's name without braces but was '" + prefix + "'");
        }
    }

    /// Up to 100,000 samples and 1 GiB in a shard, a writer for each processor, the first failure ends the work.
    public static PackSettings of(Path folder, String prefix) {
        return new PackSettings(
                folder,
                Location.of(folder),
                prefix,
                100_000,
                1L << 30,
                Runtime.getRuntime().availableProcessors(),
                Naming.KEEP,
                FailurePolicy.failFast(),
                Optional.empty(),
                List.of());
    }

    /// These settings with shards of another format.
    ///
    /// @param names of the classes that `label` numbers; empty if there are none
    public PackSettings format(PackFormat other, List<String> names) {
        return new PackSettings(
                folder, to, prefix, samples, bytes, writers, naming, failures, Optional.of(other), names, range);
    }

    /// What the names of shards end with.
    String ending() {
        return format.map(PackFormat::ending).orElse(".tar");
    }

    /// These settings with other limits for a shard.
    public PackSettings limits(long newSamples, long newBytes) {
        return new PackSettings(
                folder, to, prefix, newSamples, newBytes, writers, naming, failures, format, classes, range);
    }

    /// These settings with another number of writers.
    public PackSettings writers(int atOnce) {
        return new PackSettings(folder, to, prefix, samples, bytes, atOnce, naming, failures, format, classes, range);
    }

    /// These settings with other names of samples.
    public PackSettings naming(Naming other) {
        return new PackSettings(folder, to, prefix, samples, bytes, writers, other, failures, format, classes, range);
    }

    /// These settings with another policy.
    public PackSettings failures(FailurePolicy policy) {
        return new PackSettings(folder, to, prefix, samples, bytes, writers, naming, policy, format, classes, range);
    }

    /// These settings with shards that hold something else.
    public PackSettings range(Range other) {
        return new PackSettings(folder, to, prefix, samples, bytes, writers, naming, failures, format, classes, other);
    }

    /// These settings, under which each shard is sent to the folder `other` when it is complete. What stays in the
    /// local folder is small, and lets the same pack go on after an interruption; so each destination needs one of
    /// its own.
    public PackSettings sentTo(Location other) {
        return new PackSettings(
                folder, other, prefix, samples, bytes, writers, naming, failures, format, classes, range);
    }

    /// These settings for shards in another folder, where they stay.
    public PackSettings in(Path other) {
        return new PackSettings(
                other, Location.of(other), prefix, samples, bytes, writers, naming, failures, format, classes, range);
    }

    /// Whether shards are sent elsewhere.
    public boolean isSent() {
        return to.isRemote();
    }

    /// Where shard `number` lies when it is complete.
    public Location shard(long number) {
        return to.resolve(name(number) + ending());
    }

    /// What the file of shard `number` is called, without its ending.
    String name(long number) {
        return String.format(Locale.ROOT, "%s-%06d", prefix, number);
    }

    /// Whether a shard could be called so.
    boolean isShard(String file) {
        if (!file.startsWith(prefix + "-") || !file.endsWith(ending())) {
            return false;
        }
        String number =
                file.substring(prefix.length() + 1, Math.max(prefix.length() + 1, file.length() - ending().length()));
        return number.length() >= 6 && number.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    /// What the files of shard `number` are called.
    public List<String> files(long number) {
        return format.isPresent()
                ? List.of(name(number) + ending())
                : List.of(name(number) + ending(), name(number) + ".idx");
    }

    /// Where the index of shard `number` lies.
    Path index(long number) {
        return folder.resolve(name(number) + ".idx");
    }

    Path journal() {
        return folder.resolve(prefix + ".packed");
    }

    /// How `count` shards are named at once.
    public String pattern(long count) {
        return count == 1
                ? shard(0).toString()
                : to.resolve(String.format(Locale.ROOT, "%s-{%06d..%06d}%s", prefix, 0, count - 1, ending()))
                        .toString();
    }

    String limitsText() {
        return format.map(rows -> rows.name() + ", ").orElse("") + samples
                + (range == Range.INPUT ? " places, " : " samples, " + bytes + " bytes, ")
                + naming.name().toLowerCase(Locale.ROOT) + " names";
    }
}
