package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspdl.data.dataset.Manifest;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;

/// Tells datasets of shards from other datasets, by names alone.
final class ShardLocations {
    private ShardLocations() {}

    /// Whether `location` names shards, or is a local folder with shards in it. JSON lines count only by their own
    /// name: in a folder of images they describe those.
    static boolean areMeant(Location location) throws IOException {
        if (Shards.isShard(location)) {
            return true;
        }
        if (location.isRemote()) {
            return false;
        }
        Path folder = location.path();
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.map(Location::of).anyMatch(name -> Shards.isShard(name) && !Manifest.isManifest(name));
        }
    }
}
