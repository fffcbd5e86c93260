package org.jspdl.data.shards;

import java.util.List;
import org.jspdl.data.storage.Listing;
import org.jspdl.data.storage.Location;

/// What shards are called, wherever the folder lies that they are in.
public final class ShardNames {
    private ShardNames() {}

    /// What [Listing] says of the names of shards behind [#folder].
    static String listed(List<Location> shards) {
        int folder = shards.isEmpty() ? 0 : folder(shards);
        return Listing.names(shards.size(), i -> shards.get((int) i).name().substring(folder));
    }

    /// How many characters the folder has that all shards lie in, up to the first that says something of its
    /// samples (`name=value`): what is behind them in a shard's [name][Location#name()] tells it from the others.
    ///
    /// @param shards at least one
    public static int folder(List<Location> shards) {
        String first = shards.getFirst().name();
        int common = first.lastIndexOf('/') + 1;
        for (Location shard : shards) {
            while (!shard.name().startsWith(first.substring(0, common))) {
                common = first.lastIndexOf('/', common - 2) + 1;
            }
        }
        int value = first.indexOf('=');
        return value < 0 || value > common ? common : first.lastIndexOf('/', value) + 1;
    }
}
