package org.jspdl.data.shards.tar;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.OptionalLong;
import java.util.SequencedMap;
import java.util.Set;
import org.jspdl.archive.TarEnd;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarStream;
import org.jspdl.data.shards.GzipInput;
import org.jspdl.data.shards.ShardCounts;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardFormat;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSource;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// WebDataset's shards: files of one sample lie one behind the other in a tar archive, and are called alike up to the
/// first dot behind the last slash. A sample that has a link in place of a wanted file is broken, and so is one that is
/// called as another one before: a part of it, or it again.
public final class TarFormat implements ShardFormat {
    /// For the service loader.
    public TarFormat() {}

    @Override
    public String name() {
        return "WebDataset tar";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".tar") || isCompressed(location);
    }

    @Override
    public Location countedBy(Location shard) {
        return isCompressed(shard) || shard.hasQuery() ? shard : TarIndex.locationFor(shard);
    }

    static boolean isCompressed(Location location) {
        return location.endsWith(".tar.gz", ".tgz");
    }

    /// The files of a shard from byte `offset` on, which is 0 for a compressed one.
    static TarStream stream(ShardFile file, long offset) throws IOException {
        return isCompressed(file.location())
                ? TarStream.over(GzipInput.open(file))
                : TarStream.over(file.open(offset), offset, TarEnd.REQUIRED);
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return isCompressed(file.location())
                ? new ShardSource(
                        file,
                        Source.Resume.REPLAY,
                        (shard, from) -> TarCursor.open(shard, from, () -> -1),
                        _ -> OptionalLong.empty())
                : new TarSource(file);
    }

    /// Reads the headers alone. A sample is there once its end was found.
    @Override
    public long count(ShardFile file) throws IOException {
        long samples = 0;
        String key = null;
        boolean isBroken = false;
        SeenKeys seen = new SeenKeys();
        Set<String> fields = new HashSet<>();
        try (TarStream stream = stream(file, 0)) {
            while (stream.advance()) {
                TarEntry entry = stream.entry();
                TarName name = name(entry);
                if (name == null) {
                    continue;
                }
                if (!name.key().equals(key)) {
                    samples += !isBroken && isWhole(key, fields, file) ? 1 : 0;
                    key = name.key();
                    isBroken = !seen.add(key);
                    fields.clear();
                }
                boolean wanted = file.options().wants(name.suffix());
                isBroken |= wanted && !entry.isFile();
                if (wanted && entry.isFile() && !fields.add(name.suffix())) {
                    return samples; // a cursor reads no further
                }
            }
            return samples + (!isBroken && isWhole(key, fields, file) ? 1 : 0);
        } catch (FormatException damaged) {
            return samples;
        }
    }

    /// What a file, or a link to one, is called in its sample; null for what belongs to none.
    static @Nullable TarName name(TarEntry entry) {
        return switch (entry.type()) {
            case FILE, HARD_LINK, SYMBOLIC_LINK -> TarName.of(entry.name());
            case DIRECTORY, OTHER -> null;
        };
    }

    /// Why a link cannot be a part of a sample: GNU tar writes one for the second name of a file.
    static String objection(TarEntry link) {
        return "'" + link.name() + "' is a link to '" + link.linkName() + "', whose content is not there again;"
                + " write the archive with 'tar --hard-dereference --dereference'";
    }

    /// Why a sample can't be called as one before it.
    static String again(String key) {
        return "there are files of '" + key
                + "' before, with others between: it is there twice, or its files do not lie"
                + " one behind the other; sort the archive by names ('tar --sort=name'), or pack it again";
    }

    private static boolean isWhole(@Nullable String key, Set<String> fields, ShardFile file) {
        return key != null && file.missing(fields).isEmpty();
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        ShardCounts tally = new ShardCounts();
        String key = null;
        try (TarStream stream = stream(file, 0)) {
            while (stream.advance()) {
                TarEntry entry = stream.entry();
                TarName name = TarName.of(entry.name());
                if (!entry.isFile() || name == null) {
                    continue;
                }
                if (!name.key().equals(key)) {
                    key = name.key();
                    tally.sample();
                }
                tally.field(name.suffix(), "", entry.byteSize());
            }
        }
        SequencedMap<String, String> traits = new LinkedHashMap<>();
        if (isCompressed(file.location())) {
            return tally.summary(name(), traits);
        }
        OptionalLong indexed = new TarSource(file).size();
        traits.put(
                "index",
                indexed.isEmpty()
                        ? "none"
                        : indexed.getAsLong() == tally.samples()
                                ? "there"
                                : "wrong: it has " + indexed.getAsLong() + " samples; make it again");
        return tally.summary(name(), traits);
    }
}
