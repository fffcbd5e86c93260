package org.jspdl.spark.internal;

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
/// @param folder    where the shards go, absolute; of an object store its address
/// @param format    `webdataset`, or the name of a [PackFormat]
/// @param prefix    what their names begin with
/// @param overwrites whether what is there is replaced
public record WriteOptions(String folder, String format, String prefix, boolean overwrites) implements Serializable {
    /// What only [JspdlSource] says.
    public static final String OVERWRITE = "overwrite";

    public static final String TAR = "webdataset";
    private static final Set<String> KNOWN = Set.of("path", "shards", "prefix", OVERWRITE);

    /// Options as Spark gives them.
    ///
    /// @throws IllegalArgumentException if an option is unknown or wrong; the message says what there is
    public static WriteOptions of(Map<String, String> options) throws IOException {
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
        WriteOptions usual =
                to(Location.of(path), given.getOrDefault("shards", TAR), given.getBoolean(OVERWRITE, false));
        WriteOptions made = new WriteOptions(
                usual.folder, usual.format, given.getOrDefault("prefix", usual.prefix), usual.overwrites);
        made.settings(Path.of("")); // which checks them
        return made;
    }

    /// Shards that are called as their folder is.
    ///
    /// @throws IOException if it is no place to write to
    public static WriteOptions to(Location location, String format, boolean overwrites) throws IOException {
        String folder = location.isRemote()
                ? location.text().replaceFirst("/+$", "")
                : location.path().toAbsolutePath().normalize().toString();
        String name = folder.substring(folder.lastIndexOf('/') + 1);
        return new WriteOptions(folder, format, name.isEmpty() ? "shard" : name, overwrites);
    }

    /// Where the shards go.
    public Location location() {
        return Location.of(folder);
    }

    /// Whether shards are tar files.
    public boolean isTar() {
        return format.equals(TAR);
    }

    /// How a shard is written in a folder.
    public PackSettings settings(Path in) {
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

    /// Without what an address hides.
    @Override
    public String toString() {
        return "WriteOptions[" + location() + ", " + format + ", " + prefix + "]";
    }
}
