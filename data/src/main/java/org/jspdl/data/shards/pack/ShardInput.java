package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.snapshot.FileVersions;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;

/// Shards of any format, which are packed anew: all their fields, texts and bytes as they are, single numbers as text,
/// arrays as NPY.
///
/// @param stream    their samples
/// @param locations where the shards lie
/// @param selection what is read of them ([ShardOptions#selection])
/// @param versions  of the shards
public record ShardInput(
        ShardStream<ShardSample> stream, List<Location> locations, String selection, FileVersions versions)
        implements PackInput<ShardSample> {

    /// Shards that are the same, and read in the same way, wherever they lie where these do.
    public ShardInput(ShardStream<ShardSample> stream, List<Location> locations) {
        this(stream, locations, "", FileVersions.UNKNOWN);
    }

    /// The shards at `locations`, of which `stream` reads what `options` say, in the versions that they have now.
    public static ShardInput of(
            ShardStream<ShardSample> stream, List<Location> locations, ShardOptions options, Storage storage)
            throws IOException {
        return new ShardInput(stream, locations, options.selection(), FileVersions.ofShards(storage, locations));
    }

    @Override
    public Source<ShardSample> source() {
        return stream;
    }

    @Override
    public ShardSample read(ShardSample item, long number) {
        return item;
    }

    @Override
    public String identity() {
        CRC32C names = new CRC32C();
        locations.forEach(location -> names.update(location.text().getBytes(StandardCharsets.UTF_8)));
        return "shards " + Long.toHexString(names.getValue()) + " " + versions.identity() + stream.identity()
                + (selection.isEmpty() ? "" : " " + selection);
    }

    @Override
    public int readsAtOnce() {
        return Runtime.getRuntime().availableProcessors();
    }
}
