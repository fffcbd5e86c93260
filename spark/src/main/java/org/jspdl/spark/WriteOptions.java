package org.jspdl.spark;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.data.shards.pack.PackFormat;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.storage.Location;

/// What a user says about writing, with `option(name, value)`. Immutable; goes to the executors.
///
/// | option | default | |
/// | --- | --- | --- |
/// | `shards` | `webdataset` | what shards are: `webdataset` (tar files, each with an index), `parquet` or `mds` |
/// | `prefix` | the name of the folder | what the names of shards begin with |
///
/// @param folder    where the shards go, absolute
/// @param format    `webdataset`, or the name of a [PackFormat]
/// @param prefix    what their names begin with
/// @param overwrites whether what is there is replaced
record WriteOptions(String folder, String format, String prefix, boolean overwrites) implements Serializable {
    /// What only [JspdlSource] says.
    static final String OVERWRITE = "overwrite";

    static final String TAR = "webdataset";
    private static final Set<String> KNOWN = Set.of("path", "shards", "prefix", OVERWRITE);

    /// @throws IllegalArgumentException if an option is unknown or wrong; the message says what there is
    static WriteOptions of(Map<String, String> options) throws IOException {
        CaseInsensitiveStringMap given = new CaseInsensitiveStringMap(options);
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "jspdl does not know the options " + unknown + " for writing; there are shards and prefix");
        }
        String path = given.get("path");
        if (path == null) {
            throw new IllegalArgumentException("nowhere to write to: say .save(\"folder\")");
        }
        Location location = Location.of(path);
        if (location.isRemote()) {
            throw new IllegalArgumentException("jspdl writes to a folder that the driver and all executors share,"
                    + " but " + location + " is remote; write to such a folder, and send it from there");
        }
        Path folder = location.path().toAbsolutePath().normalize();
        Path name = folder.getFileName();
        String format = given.getOrDefault("shards", TAR);
        WriteOptions made = new WriteOptions(
                folder.toString(),
                format,
                given.getOrDefault("prefix", name == null ? "shard" : name.toString()),
                given.getBoolean(OVERWRITE, false));
        made.settings(folder); // which checks them
        return made;
    }

    /// Whether shards are tar files.
    boolean isTar() {
        return format.equals(TAR);
    }

    /// How a shard is written in a folder.
    PackSettings settings(Path in) {
        PackSettings settings = PackSettings.of(in, prefix).range(PackSettings.Range.INPUT);
        if (isTar()) {
            return settings;
        }
        Optional<PackFormat> rows = PackFormat.named(format);
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("shards must be webdataset, parquet or mds but was '" + format
                    + "'; parquet needs the jars of jspdl-parquet, on executors, too");
        }
        return settings.format(rows.get(), java.util.List.of());
    }
}
