package org.jspdl.data.shards.pack;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;

/// Shards of any format, which are packed anew: all their fields, texts and bytes as they are, single numbers as text,
/// arrays as NPY.
///
/// @param stream    their samples
/// @param locations where the shards lie
public record ShardInput(ShardStream<ShardSample> stream, List<Location> locations) implements PackInput<ShardSample> {
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
        return "shards " + Long.toHexString(names.getValue()) + " " + stream.identity();
    }

    @Override
    public int readsAtOnce() {
        return Runtime.getRuntime().availableProcessors();
    }
}
